"""Games that earlier companions wrote down. Each of them opens for good."""
