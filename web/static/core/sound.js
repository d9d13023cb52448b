// What a phone can do besides showing: tones at an exact moment, a shake, and staying awake.

let context = null;

/** A tap allows sound from now on; browsers ask for one. */
export function allowSound() {
  try {
    context ??= new (window.AudioContext ?? window["webkitAudioContext"])();
    if (context.state === "suspended") context.resume();
  } catch {
    context = null; // a phone without sound still shows everything
  }
}

export function soundAllowed() {
  return context?.state === "running";
}

/** A tone in so many seconds. Returns a function that takes it back. */
export function tone(after, pitch, length, loud = 0.35) {
  if (!context) return () => {};
  const start = context.currentTime + Math.max(0, after);
  const [voice, level] = [context.createOscillator(), context.createGain()];
  voice.frequency.value = pitch;
  voice.type = "triangle";
  level.gain.setValueAtTime(0, start);
  level.gain.linearRampToValueAtTime(loud, start + 0.008);
  level.gain.setValueAtTime(loud, start + length - 0.04);
  level.gain.linearRampToValueAtTime(0, start + length);
  voice.connect(level).connect(context.destination);
  voice.start(start);
  voice.stop(start + length + 0.02);
  return () => {
    try {
      voice.stop();
    } catch {
      // it has stopped already
    }
  };
}

export function shake(pattern) {
  navigator.vibrate?.(pattern);
}

let awake = null; // what keeps the screen on: a lock, or a film that nobody sees
let wanted = false;

/** Keep the screen on, or no longer. */
export async function stayAwake(wish) {
  wanted = wish;
  if (!wish) {
    await awake?.release?.();
    awake = null;
  } else if (!awake && !document.hidden) {
    awake = await lock();
  }
}

async function lock() {
  try {
    const found = await navigator.wakeLock.request("screen");
    found.addEventListener("release", () => (awake = null));
    return found;
  } catch {
    return film(); // plain http, as on a table's own Wi-Fi, has no lock
  }
}

/** A playing film keeps most phones awake: two still dots and silence, made on the spot. */
function film() {
  const canvas = document.createElement("canvas");
  if (!canvas.captureStream || !soundAllowed()) return null;
  canvas.width = canvas.height = 2;
  const drawing = canvas.getContext("2d");
  const stream = canvas.captureStream(1);
  stream.addTrack(context.createMediaStreamDestination().stream.getAudioTracks()[0]);
  const video = document.createElement("video");
  video.playsInline = true;
  video.srcObject = stream;
  const drawn = setInterval(() => drawing.fillRect(0, 0, 2, 2), 1000);
  video.play().catch(() => {});
  return {
    release() {
      clearInterval(drawn);
      video.pause();
      for (const track of stream.getTracks()) track.stop();
    },
  };
}

document.addEventListener("visibilitychange", () => wanted && !document.hidden && stayAwake(true));
addEventListener(
  "pointerdown",
  () => {
    allowSound();
    if (wanted && !awake) stayAwake(true);
  },
  { passive: true },
);
