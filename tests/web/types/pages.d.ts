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

type Kind = "update" | "raid" | "connection" | "standing" | "layout" | "me" | "page" | "free";

/** What listeners of each kind hear. */
type Heard = {
  update: Update;
  raid: Raid | null;
  connection: string;
  standing: Standing;
  layout: Layout | null;
  me: Me;
  page: string;
  free: undefined;
};

/** What is answered to a page that asks for this address. */
type Answered<Path extends string> = Path extends "/api/setup"
  ? Offer
  : Path extends "/api/scores"
    ? Scores
    : Path extends "/api/health"
      ? HealthPart[]
      : Path extends "/api/camera"
        ? Camera
        : Path extends "/api/layout"
          ? Layout
          : Path extends "/api/acts"
            ? Acts
            : Path extends "/api/me"
              ? Me
              : Path extends `/api/history${string}`
                ? Past
                : Path extends `/api/choices${string}` | `/api/alternatives/${string}`
                  ? Choices
                  : Path extends `/api/pictures/${string}`
                    ? { events: number[] }
                    : Path extends `/api/about${string}`
                      ? { says: Said; step: number }[]
                      : any;

/** The shell, as every page gets it. */
type App = {
  standing: Standing | null;
  me: Me;
  layout: Layout | null;
  connection: string;
  clock: { known: boolean; now(): number; measure(times?: number): Promise<void> };
  now(): number;
  /** Hear of something; returns how to hear no more. */
  on<K extends Kind>(kind: K, listener: (data: Heard[K]) => unknown): () => boolean;
  go(name: string, params?: Record<string, any>): void;
  toast(said: Said | string, how?: { kind?: string; seconds?: number }): void;
  /** The answer, or null if there was none. */
  get<Path extends string>(path: Path, how?: { quiet?: boolean }): Promise<Answered<Path> | null>;
  post(path: string, body?: object, how?: { quiet?: boolean }): Promise<any>;
  command(kind: string, body?: object, how?: { quiet?: boolean }): Promise<{ number: number } | null>;
  emit<K extends Kind>(kind: K, data?: Heard[K]): void;
  theme(chosen?: string): string;
  speak(language: string): Promise<void>;
  learnMe(): Promise<Me>;
};

/** A page that is shown. */
type Page = {
  node?: HTMLElement;
  update?: (standing: Standing) => unknown;
  close?: () => unknown;
  name: string;
  title?: string;
};

/** The pages have no elements but those of HTML and SVG, and what is said here both have. */
interface ParentNode {
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}

// Drawing the table in panels

/** A part of a panel as it is shown to one phone: the zones that its patterns mean for it. */
type ResolvedPart = Omit<Part, "zones" | "nodes" | "unnamed"> & {
  zones: Shown[];
  nodes: string[];
  unnamed?: string[];
};

/** What a panel is drawn from. */
type Scene = {
  layout: Layout;
  view: View;
  seats: Seat[];
  me?: number | null;
  actor?: Expects["actor"];
  changed?: Record<string, string[]>;
  mover?: string | null;
  links?: Link[];
  rings?: Ring[];
  acts?: Set<string>;
  ghosts?: Map<string, { label: string; seat: number | null }>;
  /** Nothing of it is there to be tapped. */
  still?: boolean;
};

/** A place that is marked on the map, and where its piece is to go. */
type Mark = { zone?: string; cell?: string; to?: Spot };

/** What the map is drawn from: turned by so many quarters, with these places marked. */
type MapScene = Scene & { quarter?: number; marks?: Mark[] };

/** What the parts of a panel need to know besides. */
type Context = Scene & {
  /** The letter of each seat's colour. */
  letters: Record<string, string>;
  /** The word of the good that a die's colour stands for. */
  goods: Record<string, string>;
  facing: number;
  width?: number;
  seatMark(seat: number, size?: number): Node;
  badge(letter: string, size: number): Node;
  target(
    node: Element,
    place: { zone: string; spot: string; says: string; loose?: boolean; whole?: boolean; [more: string]: any },
  ): Element;
  placeWords(zone: string, spot: string): string;
  /** These come from the page, as `withWords` in pages/table_panels.js adds them. */
  seatName?(seat: number): string;
  plain?(label: string): string;
  plainNothing?: string;
  paint?(colour: string): { fill: string; ink: string; shape: string };
};

/** The words of colours: those of a layout, or of a game that has none yet. */
type Named = { colours?: Record<string, Said>; labels?: Record<string, Said> };
