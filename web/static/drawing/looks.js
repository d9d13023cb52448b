// How words that games put on their pieces are drawn: a ground, an ink and a sign on a field from -12 to 12.
// A word that stands nowhere here gets its letters. `line` signs are strokes, the others are filled; a `tile` is drawn
// with its sign even if it is a figure on the table.

const WHEAT = "M0 11V-4M0-4L-4-9M0-4L4-9M0 1L-6-3M0 1L6-3M0 6L-6 2M0 6L6 2M0-4V-11";
const TREE = "M0-12L8-1H4L10 7H2V12H-2V7H-10L-4-1H-8z";
const HOUSE = "M0-10L11-1H8V10H2V3H-2V10H-8V-1H-11z";
const TOWER = "M-10-10H-6V-6H-2V-10H2V-6H6V-10H10V11H3V4A3 3 0 0 0-3 4V11H-10z";
const HEART = "M0 10C-7 4-11 0-11-4.5A5.5 5.5 0 0 1 0-6.5A5.5 5.5 0 0 1 11-4.5C11 0 7 4 0 10z";
const CROWN = "M-11-7L-5-1L0-10L5-1L11-7L9 9H-9z";
const PERSON = "M0-11A4.5 4.5 0 1 1 0-2A4.5 4.5 0 1 1 0-11zM-9 11C-9 3-5 0 0 0S9 3 9 11z";
const GEM = "M-6-9H6L11-2L0 11L-11-2z";
const WAVES = "M-11-4Q-7-9-3.5-4T4-4T11-4M-11 5Q-7 0-3.5 5T4 5T11 5";
const PEAKS = "M-12 9L-4-9L1 2L4-4L12 9z";
const BLOCK = "M-10-2L0-8L10-2V7L0 12L-10 7z";
const HAMMER = "M-11-9C-6-12 2-12 7-9L11-10V-3L7-4H2L3 12H-3L-2-4H-6C-8-6-9-6-11-6z";
const LOAF =
  "M-11 3C-11-5-6-8 0-8S11-5 11 3C11 6 9 8 7 8H-7C-9 8-11 6-11 3zM-6-3L-4 1L-3 0L-5-4zM-1-5L1 0L2-1L0-6zM4-4L6 1L7 0L5-5z";
const GRASS = "M-9 8Q-9 2-11-1M-6 8Q-5 0-7-5M0 8Q0-2-1-7M0 8Q3 2 5-3M8 8Q8 3 10-1";
const COIN = "M0-10A10 10 0 1 1 0 10A10 10 0 1 1 0-10z";
const LOG = "M-11-4H6A5 5 0 0 1 6 6H-11zM6-4A5 5 0 0 0 6 6";
const STAR = "M0-12L3.5-4L12-4L5.5 2L8 11L0 6L-8 11L-5.5 2L-12-4L-3.5-4z";
const SWORD = "M-1-12H1L3 3H8V6H2V12H-2V6H-8V3H-3z";
const PILLAR = "M-9-11H9V-7H5V7H9V11H-9V7H-5V-7H-9z";
const BAG = "M-4-11H4L2-6C8-4 10 2 10 6C10 10 7 11 0 11S-10 10-10 6C-10 2-8-4-2-6z";
const DEED = "M-8-11H8V11H-8zM-5-6H5V-4H-5zM-5-1H5V1H-5zM-5 4H2V6H-5z";
const PLUS = "M-3-10H3V-3H10V3H3V10H-3V3H-10V-3H-3z";
const ROUND = "M8-6A10 10 0 1 0 10 2M9-12V-5H2";
const DROP = "M0-12C6-4 9 0 9 4A9 8 0 0 1-9 4C-9 0-6-4 0-12z";
const SHIELD = "M-10-11H10V1C10 7 4 11 0 12.5C-4 11-10 7-10 1z";
const FLEECE = "M-8 6A5 5 0 0 1-9-3A5 5 0 0 1-3-8A6 6 0 0 1 7-6A5 5 0 0 1 9 4A5 5 0 0 1 3 8A6 6 0 0 1-8 6z";
const INGOT = "M-7-6H7L11 7H-11z";
const AGAIN = "M-11-8L-1 0L-11 8zM1-8L11 0L1 8z";
const BOOK = "M0-7C-3-9-7-9-11-8V8C-7 7-3 7 0 9C3 7 7 7 11 8V-8C7-9 3-9 0-7z";
const CROSS = "M-2.5-12H2.5V-6H8V-1H2.5V12H-2.5V-1H-8V-6H-2.5z";
const EQUAL = "M-10-7H10V-2H-10zM-10 2H10V7H-10z";
const STEP = "M-11 3H2V-3L11 6L2 15V9H-11zM-3-12A4 4 0 1 1-3-4A4 4 0 1 1-3-12z";
const CARDS = "M-9-11H4V8H-9zM7-7H10V12H-4V10.5H7z";
const UP = "M0-11L10 0H4V11H-4V0H-10z";

export const LOOKS = {
  bread: { fill: "#e7b666", ink: "#5b3200", sign: LOAF },
  marble: { fill: "#e6e9ee", ink: "#56657c", sign: BLOCK },
  tool: { fill: "#c9a58d", ink: "#4a2110", sign: HAMMER },
  meadow: { fill: "#b5d67e", ink: "#4d7a18", sign: GRASS, line: true },
  forest: { fill: "#5d9560", ink: "#123d1c", sign: TREE },
  mountain: { fill: "#b9b3ad", ink: "#544d48", sign: PEAKS },
  village: { fill: "#efc79b", ink: "#8a3d18", sign: HOUSE },
  castle: { fill: "#cfc4e3", ink: "#46327a", sign: TOWER },
  water: { fill: "#9cc9ea", ink: "#15527f", sign: WAVES, line: true },
  field: { fill: "#efd778", ink: "#7a5b00", sign: WHEAT, line: true },
  mercy: { fill: "#f7d9dc", ink: "#a3293b", sign: HEART },
  rank: { fill: "#f3e4b4", ink: "#7d5a00", sign: CROWN },
  follower: { fill: "#f0d9b8", ink: "#6c4415", sign: PERSON },
  gold: { fill: "#f6d25a", ink: "#7a5600", sign: COIN },
  gem: { fill: "#bfe3e6", ink: "#0f5f6a", sign: GEM },
  wood: { fill: "#d3ad7a", ink: "#5c3510", sign: LOG, line: true },
  star: { fill: "#fbe7a1", ink: "#7d5a00", sign: STAR },
  sword: { fill: "#d5d9dd", ink: "#3b444b", sign: SWORD },
  card: { fill: "#f4f1e8", ink: "#5b5548", sign: CARDS },
  main: { fill: "#dcefe9", ink: "#0d6556", sign: AGAIN },
  same: { fill: "#e9e4f4", ink: "#463078", sign: EQUAL },
  manuscript: { fill: "#ece3d2", ink: "#5a4a22", sign: BOOK },
  cleric: { fill: "#dfe3e8", ink: "#1f2f45", sign: CROSS },
  merchantstep: { fill: "#f3dcc0", ink: "#7a3f0c", sign: STEP },
  architectstep: { fill: "#ece3d2", ink: "#6a4f1c", sign: STEP },
  pillar: { fill: "#ece3d2", ink: "#6a4f1c", sign: PILLAR },
  merchant: { fill: "#f3dcc0", ink: "#7a3f0c", sign: BAG },
  contract: { fill: "#f4efdc", ink: "#5c5238", sign: DEED },
  joker: { fill: "#e4dcf4", ink: "#51348f", sign: STAR },
  any: { fill: "#dfeedd", ink: "#2c6330", sign: PLUS },
  again: { fill: "#dbe9f5", ink: "#1f5687", sign: ROUND, line: true },
  recolour: { fill: "#f6dcea", ink: "#8a2659", sign: DROP },
  crest: { fill: "#f3dfd6", ink: "#8e2f22", sign: SHIELD },
  wool: { fill: "#f1eee6", ink: "#7b7566", sign: FLEECE },
  iron: { fill: "#cfdcee", ink: "#264f86", sign: INGOT },
  raise: { fill: "#e2f0e4", ink: "#1f6b3a", sign: UP },
  ink: { fill: "#d9dcee", ink: "#2a2f5c", sign: DROP },
  silver: { fill: "#e3e6e8", ink: "#5b666d", sign: COIN },
  virtue: { fill: "#e8f0fb", ink: "#2a5a9a", sign: UP },
  corruption: { fill: "#ead9d3", ink: "#7a2a1a", sign: SWORD },
  debt: { fill: "#f3d6d0", ink: "#8e2f22", sign: DEED },
  "paid debt": { fill: "#f4efdc", ink: "#8e2f22", sign: DEED },
  deed: { fill: "#dcebd6", ink: "#2f5f2b", sign: DEED },
  "approved deed": { fill: "#f6d25a", ink: "#2f5f2b", sign: DEED },
  guildhall: { fill: "#cfc4e3", ink: "#46327a", sign: TOWER, tile: true },
  workshop: { fill: "#c9a58d", ink: "#4a2110", sign: HAMMER, tile: true },
  "trading post": { fill: "#f3dcc0", ink: "#7a3f0c", sign: BAG, tile: true },
};

for (const [word, like] of [
  ["stone", "marble"],
  ["brick", "marble"],
  ["clay", "tool"],
  ["ore", "mountain"],
  ["rock", "mountain"],
  ["tree", "forest"],
  ["hill", "mountain"],
  ["house", "village"],
  ["town", "village"],
  ["city", "castle"],
  ["tower", "castle"],
  ["sea", "water"],
  ["lake", "water"],
  ["river", "water"],
  ["grass", "meadow"],
  ["wheat", "field"],
  ["grain", "field"],
  ["coin", "gold"],
  ["money", "gold"],
  ["worker", "follower"],
  ["assistant", "follower"],
  ["noble", "rank"],
  ["builder", "tool"],
  ["criminal", "sword"],
  ["approved", "deed"],
  ["paid", "debt"],
  ["building", "village"],
  ["flip", "again"],
  ["move", "main"],
  ["hire", "follower"],
  ["cathedral", "castle"],
  ["cost", "marble"],
  ["bonus", "star"],
  ["reward", "star"],
  ["script", "manuscript"],
  ["venue", "main"],
  ["guest", "follower"],
  ["architect", "pillar"],
  ["food", "bread"],
  ["nobility", "rank"],
  ["heart", "mercy"],
  ["crown", "rank"],
  ["king", "rank"],
  ["point", "star"],
  ["weapon", "sword"],
])
  LOOKS[word] = LOOKS[like];
