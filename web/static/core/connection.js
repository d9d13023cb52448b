// The line to the table: its events, whether it is there, and what its clock says.

const SILENCE = 5000; // ms without a word after which the line counts as lost
const PATIENCE = [300, 700, 1500, 3000]; // ms before the next try, the last one again and again
const KINDS = ["hello", "standing", "update", "raid", "ping"];

/** Opens the stream of events and keeps it open. `hear(kind, data)` gets every event in order; `state(name)` gets
    "here" and "lost". A phone that slept, or went out of reach, is back as soon as it can be. */
export class Line {
  constructor(hear, state) {
    this.hear = hear;
    this.state = state;
    this.tries = 0;
    this.last = null; // "edition:number" of the latest standing
    this.source = null;
    addEventListener("online", () => this.again());
    addEventListener("offline", () => this.lost());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && Date.now() - this.heard > SILENCE) this.again();
    });
    this.open();
  }

  open() {
    clearTimeout(this.next);
    this.source?.close();
    const since = this.last ? `?since=${encodeURIComponent(this.last)}` : "";
    const source = (this.source = new EventSource(`/api/events${since}`));
    for (const kind of KINDS) {
      source.addEventListener(kind, (event) => this.source === source && this.take(kind, event));
    }
    source.onerror = () => this.source === source && this.lost();
    this.listen();
  }

  take(kind, event) {
    this.tries = 0;
    this.listen();
    let data;
    try {
      data = JSON.parse(event.data);
    } catch {
      return;
    }
    if (kind === "standing") {
      this.last = `${data.edition}:${data.number}`;
      this.state("here");
    }
    this.hear(kind, data);
  }

  listen() {
    this.heard = Date.now();
    clearTimeout(this.silent);
    this.silent = setTimeout(() => this.lost(), SILENCE);
  }

  lost() {
    clearTimeout(this.silent);
    this.source?.close();
    this.source = null;
    this.state("lost");
    clearTimeout(this.next);
    this.next = setTimeout(() => this.open(), PATIENCE[Math.min(this.tries++, PATIENCE.length - 1)]);
  }

  again() {
    this.tries = 0;
    this.open();
  }
}

/** Whether a standing may be shown after another one: within an edition the number never goes back. */
export function follows(before, next) {
  return !before || before.edition !== next.edition || next.number >= before.number;
}

const STALE = 120_000; // ms after which a phone's quartz may have drifted too far from a measurement

/** The table's clock as this phone knows it: of many pings the one that came back soonest says it best. */
export class TableClock {
  constructor() {
    this.best = null; // {offset: s, trip: s, at: ms}
  }

  /** The table's monotonic seconds, now. */
  now() {
    return performance.now() / 1000 + (this.best?.offset ?? 0);
  }

  get known() {
    return this.best !== null;
  }

  /** A line just opened tells the time in passing: good until it is measured. */
  begin(now) {
    this.best = { offset: now - performance.now() / 1000, trip: 1, at: performance.now() };
  }

  /** Ask several times. The answer was given somewhere within the trip, so half a trip is the most it can be wrong. */
  async measure(times = 5) {
    for (let i = 0; i < times; i++) {
      const sent = performance.now();
      try {
        const answer = await fetch("/api/clock", { cache: "no-store" });
        const { now } = await answer.json();
        this.note(now, sent, performance.now());
      } catch {
        return; // the line is lost, which is told elsewhere
      }
    }
  }

  note(now, sent, came) {
    const trip = (came - sent) / 1000;
    const stale = this.best && came - this.best.at > STALE;
    if (!this.best || stale || trip <= this.best.trip) {
      this.best = { offset: now - (sent + came) / 2000, trip, at: came };
    }
  }
}
