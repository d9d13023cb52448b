// What the server sends to a phone, as JSON. tests/web/test_messages.py holds real messages against it.

/** A text in both languages. */
type Said = { de: string; en: string };

/** A zone of the layout, and a place in it: a cell, the label of a loose piece, or "" for all of it. */
type Spot = { zone: string; cell: string };

// Who is who

/** `GET /api/me`: what this phone is. */
type Me = { role: "nobody" | "watcher" | "seat" | "host"; seat: number | null; name: string; csrf: string; host: boolean };

type Seat = { colour: string; name: string };

// How things stand

/** `standing`: all that a page needs to be drawn. Within an edition the number never goes back. */
type Standing = {
  edition: string;
  number: number;
  table: Table;
  raid: Raid | null;
  /** Who sits where, by the seat's number. */
  seats: Sitting[];
  phones: number;
  demo: Demo | null;
  camera: CameraTrouble | null;
};

type Sitting = { taken: boolean; name: string };

type Demo = { pace: any; paused: boolean; doing: Said; can: string[] };

type CameraTrouble = { kind: string; since: number; says: Said };

/** What one game stands like. Without a game only `game: null` is there. */
type Table = {
  number: number;
  game: string | null;
  journal: string;
  progress: { says: Said; round: number; order: number[] } | null;
  title: Said;
  seats: Seat[];
  phase: Said | null;
  expects: Expects;
  view: View;
  last: LastMove[];
  /** What the last move changed: the cells of each zone, none for a zone of loose pieces. */
  changed: Record<string, string[]>;
  rush: Rush;
  haul: Haul | null;
  trouble: Trouble | null;
  comparing: boolean;
  ignored: string[];
  /** The zones that people have entered of the form that is open. */
  entered: string[];
  /** Whether a camera has looked at this table. */
  watched: boolean;
  events: number;
  can_join: boolean;
  can_undo: boolean;
  can_redo: boolean;
  over: boolean;
  totals: number[];
  winners: number[];
  links: Link[];
  rings: Ring[];
  learned: NewPiece[];
};

type Expects = { says: Said; actor: number | "anyone" | "chance" | null; counting?: boolean };

/** What lies in each zone, by its name. */
type View = Record<string, Contents>;

type Contents =
  | { type: "cells"; at: Record<string, string | null>; count?: undefined; field?: undefined; value?: undefined }
  | { type: "pieces"; count: Record<string, number>; at?: undefined; field?: undefined; value?: undefined }
  | { type: "marks"; field: Record<string, number>; at?: undefined; count?: undefined; value?: undefined }
  | { type: "pointing"; value: number | null; at?: undefined; count?: undefined; field?: undefined };

type Note = { rule: string; says: Said };

/** A move as it is written down: its kind and its fields. */
type Move = { type: string; [field: string]: unknown };

type ToldMove = { event: number; seat: number | null; colour: string | null; move: Move; says: Said; because: Note[] };

type LastMove = ToldMove & { places: Record<string, string[]> };

type Rush = { over: true } | { over?: undefined; leader: number; seconds: number; running: boolean };

type Haul = {
  source: string;
  keeps: string[];
  sums: (number | null)[];
  goods: { good: string; left: number; demand: number; greediest: number | null; most: number; says: Said }[];
};

type Link = { one: string; other: string; seat: number };

type Ring = {
  zone: string;
  sections: { zone: string; word: string; number: number; worth: number; beside: [string, string][]; says: Said }[];
  legend: Record<string, Said>;
};

type NewPiece = { name: string | number; family: string; label: string; look: string; like: string };

// What is wrong

type Breach = {
  rule: string;
  facts: Record<string, unknown>;
  section: Said;
  sentence: Said;
  says: Said;
  assumed: boolean;
};

/** What to do to put something right: from where, to where, or all the cells that it puts right at once. */
type Step = {
  says: Said;
  act: "carry" | "turn" | "point" | "arrange";
  what: string;
  number: number;
  source: Spot | null;
  to: Spot | null;
  was: string;
  cells: string[];
  shows: (string | null)[];
};

type Way = { way: "join" | "put_right" | "take_it" | "ignore"; says: Said; zone?: string };

/** What the table takes exception to, asks, doubts, or no longer understands. Each kind has some of these. */
type Trouble = {
  kind: "verdict" | "question" | "hint" | "lost";
  id: number;
  says: Said;
  seat?: number | null;
  move?: Move;
  tried?: Said;
  breaches?: Breach[];
  put_right?: Step[];
  finish?: Step[];
  zones?: string[];
  spread?: string[];
  strange?: [string, string];
  odd?: unknown[];
  chosen?: string[];
  options?: { says: Said }[];
  ways?: Way[];
  pictures?: { before?: number | null; after?: number | null };
  [more: string]: unknown;
};

// What happens

/** `update`: one thing that the table told. */
type Update = { number: number; kind: string; body: any };

/** `raid`: a timed phase in which all act at once. */
type Raid = {
  phase: "gathering" | "set" | "running" | "paused" | "stopped" | "off";
  king: number;
  seconds: number;
  ready: number[];
  left: number;
  /** When it stops by the table's clock, while it runs. */
  deadline: number | null;
  /** When its phase began. */
  since: number | null;
  practice: boolean;
  taken: { seats?: (number | null)[]; left?: number | null };
};

// The layout

/** Left, top, width and height in millimetres. */
type Rect = number[];

/** `GET /api/layout`: where everything lies, for drawing. */
type Layout = {
  name: string;
  area: { width: number; height: number };
  zones: Record<string, Zone>;
  pieces: Record<string, { size: number[]; round: boolean; labels: string[]; looks: Record<string, string> }>;
  drawing: Printed[];
  panels: Panel[];
  /** What is printed where, by a zone's name or its name and a cell. */
  printed: Record<string, string>;
  labels: Record<string, Said>;
  colours: Record<string, Said>;
};

type Zone = {
  kind: "grid" | "slots" | "track" | "tray" | "pool" | "dice" | "dial";
  says: Said;
  rect: Rect;
  area: Rect;
  angle: number;
  cells: Record<string, Rect>;
  /** What cells are called that have names of their own. */
  spots?: Record<string, Said>;
  seat: number | null;
  holds: string | null;
  round: boolean;
  labels: string[];
  centre?: number[];
  radius?: number;
  sectors?: { value: number; start: number; end: number }[];
};

/** What is printed on the table besides its zones. */
type Printed = {
  paint: string;
  size: number;
  rects: Rect[];
  lines: number[][][];
  roads: string[][];
  words: [string, ...number[]][];
};

type Shown = { zone: string; title?: Said; as?: string; cells?: string[]; label?: string; sign?: string };

type Part = {
  draw: string;
  zones?: (string | Shown)[];
  title?: Said;
  hint?: Said;
  fold?: { label: string; block: number[]; title: Said } | string[];
  turn?: string;
  nodes?: string;
  unnamed?: string;
  beside?: string[];
  columns?: string[][];
  groups?: Record<string, string[]>;
  titles?: Record<string, Said>;
  honours?: string;
  badges?: boolean;
  label?: string;
  left?: string;
  rows?: Shown[];
  path?: string;
  plots?: string;
  rings?: string[];
  middle?: string;
  segments?: string;
  links?: string[][];
};

type Panel = { id: string; title: Said; parts: Part[]; each?: string };

// Moves by hand

type Answer = {
  id: string;
  says: Said;
  hint: Said | null;
  places: [string, string][];
  looks: any[];
  label: string | null;
  labels: string[];
  seat: number | null;
  count: number;
};

/** `GET /api/choices` and `/api/alternatives/EVENT`: what is chosen next. */
type Choices = {
  number: number;
  likely: { move: Move; says: Said }[];
  path: { id: string; says: Said }[];
  asks: Said | null;
  field: string | null;
  where: [string, string][];
  options: Answer[];
  move: Move | null;
  says: Said | null;
  form: { move: Move; field: string; [more: string]: any } | null;
  /** Kinds of moves that leave no choice, beside the question about the one that does. */
  others: { id: string; move: Move; says: Said }[];
  /** The moves that come next without a choice, and the form to fill in, before anything is chosen. */
  next?: { move: Move; says: Said }[];
  entry?: Entry | null;
  event?: number;
  instead?: Said;
};

/** What people enter in one form: what lies in some zones. With `together`, nothing follows before all are entered. */
type Entry = { together: boolean; zones: EntryZone[] };

/** `lies` and `entered` are labels by cell, or numbers by label in a zone of loose pieces, whose group has no cells. */
type EntryZone = {
  zone: string;
  says: Said;
  seat: number | null;
  by: number | null;
  groups: { cells: { cell: string; says: Said }[]; labels: { label: string; says: Said }[] }[];
  lies: Record<string, any>;
  entered: Record<string, any> | null;
};

/** `GET /api/acts`: where the seat in turn can act. */
type Acts = { number: number; places: [string, string][] };

/** `GET /api/rules`: the rulebook's rules in order, and what can be done now. */
type Rules = {
  number: number;
  title: Said;
  /** Whether `now` is about this seat alone. */
  mine: boolean;
  now: { says: Said; example: Said; count: number }[];
  rules: { section: Said; says: Said; variant: boolean }[];
};

// What was

type ScoreLine = { label: Said; points: number; because: Said };

/** `GET /api/scores` */
type Scores = {
  seats: { seat: number; total: number; lines: ScoreLine[] }[];
  winners: number[];
  because: Said[];
  chart: { event: number; totals: number[] }[];
  over: boolean;
};

type PastMove = ToldMove & {
  places: Record<string, string[]>;
  at: string;
  proof: any;
  known: Said | null;
  picture: boolean;
  pictures: Record<string, number>;
  undone: boolean;
  round: number;
  trivial: boolean;
  findings: Happening[];
};

type Happening = {
  event: number;
  at: string;
  kind: string;
  says: Said;
  by: any;
  rules: any[];
  put_right: any[];
  [more: string]: any;
};

/** `GET /api/history` */
type Past = { journal: string; moves: PastMove[]; after: Happening[]; more: boolean };

// The box and the rig

type Doubt = { fact: string; ask: Said; assumed: any; value?: any };

type GameOption = {
  key: string;
  says: Said;
  hint: Said | null;
  kind: "flag" | "choice" | "seat" | "number";
  values: { value: any; says: Said }[];
  default: any;
  players: number[];
  asked: boolean;
};

type OfferedSketch = {
  name: string;
  title: Said;
  hint: Said;
  answered: boolean;
  value: any;
  empty: any;
  kind: "graph" | "track";
  [more: string]: any;
};

type OfferedGame = {
  game: string;
  title: Said;
  players: number[];
  colours: string[];
  colour_words: Record<string, Said>;
  words: Record<string, Said>;
  options: GameOption[];
  unverified: Doubt[];
  answered: Doubt[];
  sketches: OfferedSketch[];
  families: { says: Said; known: number; number: number }[];
  learned: Said[];
};

/** `GET /api/setup`: what a host may choose from before a game. */
type Offer = { games: OfferedGame[]; seats: { colour: string; side: string }[]; open: string | null };

/** `GET /api/health`; to a phone that does not play the sentence is not told. */
type HealthPart = { name: string; label: Said; state: string; state_says: Said; says?: Said };

/** `GET /api/camera` */
type Camera = {
  state: "ok" | "troubled" | "failed" | "absent";
  says: Said;
  picture: boolean;
  zones: Record<string, { at: number[] | null; state: string; [more: string]: any }>;
  age?: number;
  plane?: any;
  size?: number[];
  [more: string]: any;
};
