// What the pages say, in German or English: the browser's choice, until somebody chooses.

const LANGUAGES = ["de", "en"];
const KEPT = "companion.language";

let words = {};
let language = kept() ?? wished();

function kept() {
  const found = read(KEPT);
  return LANGUAGES.includes(found) ? found : null;
}

function wished() {
  const found = (navigator.languages ?? [navigator.language]).map((each) => each.slice(0, 2).toLowerCase());
  return found.find((each) => LANGUAGES.includes(each)) ?? "en";
}

/** The language that is spoken now: "de" or "en". */
export function lang() {
  return language;
}

/** Fetch the words of the language spoken now. */
export async function loadWords() {
  const answer = await fetch(`/words/${language}.json`);
  if (!answer.ok) throw new Error(`The words of ${language} did not come: ${answer.status}`);
  words = await answer.json();
  document.documentElement.lang = language;
}

/** Speak another language from now on; whatever stands on the page is to be drawn again. */
export async function setLang(chosen) {
  if (!LANGUAGES.includes(chosen) || chosen === language) return;
  language = chosen;
  keep(KEPT, chosen);
  await loadWords();
}

/** A page's word: {facts} are put in, {number|one|many} counts, and {number?one|many} only chooses the word. A word
    nobody wrote shows its key. */
export function t(key, facts = {}) {
  const text = words[key] ?? key;
  return text.replace(/\{(\w+)(?:([|?])([^|}]*)\|([^}]*))?\}/g, (whole, name, how, one, many) => {
    if (!(name in facts)) return whole;
    const value = both(facts[name]);
    if (how === undefined) return value;
    const word = Number(value) === 1 ? one : many;
    return how === "?" ? word : `${value} ${word}`;
  });
}

/** Whether a page's word exists. */
export function hasWord(key) {
  return key in words;
}

/** The text of something said in both languages; a plain text is itself. */
export function both(said) {
  if (said === null || said === undefined) return "";
  return typeof said === "object" ? (said[language] ?? said.en ?? said.de ?? "") : String(said);
}

/** A time of day or a number, as people here write it. */
export function clock(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
}

/** A day, as people here write it. */
export function day(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleDateString(language, { day: "numeric", month: "long" });
}

/** What this phone remembers for itself. A browser that keeps nothing still works. */
export function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // A private window remembers nothing; that is what people wanted.
  }
}
