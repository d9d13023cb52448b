// What the scripts of the pages hand to each other, by name. Nothing of this is sent to a phone.

/** A child of an element: nodes, texts and lists of them; null and what is true or false is left out. */
type Child = Node | string | number | boolean | null | undefined | Child[];

/** What an element gets besides its children, as `h` in core/dom.js takes it. */
type Props = {
  class?: string;
  dataset?: Record<string, string | number>;
  style?: Record<string, string | number>;
  on?: Record<string, (event: any) => unknown>;
  [attribute: string]: any;
};

/** A sheet that came up: its element, and how to take it away again. */
type Sheet = {
  node: HTMLDialogElement;
  body: HTMLElement;
  actions: HTMLElement;
  title: HTMLElement;
  close: () => void;
};

type SheetWishes = {
  title: Child;
  body: Child;
  actions?: Child[];
  kind?: string;
  closable?: boolean;
  closed?: () => void;
  closeLabel?: string;
};

/** What stands behind `#/page?…`. */
type Params = Record<string, string>;

/** What something brings: words, each with a number. */
type Gains = [string, number][];

/** What a word on a piece means, as far as it can be drawn; drawing/tokens.js finds it out. */
type Meaning = {
  label: string;
  times: number;
  colour: string | null;
  not: boolean;
  name: string;
  unknown?: boolean;
  back?: boolean;
  die?: boolean;
  pips?: number | null;
  good?: string;
  ribbon?: boolean;
  tile?: string;
  number?: number | null;
  figure?: boolean;
  solid?: string;
  letters?: string;
  kind?: string;
  brings?: Gains;
};

/** The shell, as every page gets it. */
type App = any;
