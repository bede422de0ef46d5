// Formats every number on the page. A missing value is shown as `---`.

const ABSENT = '---';
const MINUS = skinMinus();

function skinMinus() {
  return SKIN === 'mui' ? '\u2212' : '-';
}

function absent(value) {
  return value === null || value === undefined || Number.isNaN(value);
}

/** Three significant digits and a scale word: `16.2B`. */
function scaled(value, words) {
  const size = Number(Math.abs(value).toPrecision(3));
  const scales = [
    [1e12, words[3]],
    [1e9, words[2]],
    [1e6, words[1]],
    [1e3, words[0]],
  ];
  for (const [unit, word] of scales) {
    if (size >= unit) {
      const part = size / unit;
      return part.toFixed(part >= 100 ? 0 : part >= 10 ? 1 : 2) + word;
    }
  }
  return Number.isInteger(value) || size >= 100 ? size.toFixed(0) : size.toPrecision(3);
}

const SUFFIXES = ['k', 'M', 'B', 'T'];
const WORDS = [' thousand', ' million', ' billion', ' trillion'];

const format = {
  /** `$1.39B` */
  money: (v) => (absent(v) ? ABSENT : `${v < 0 ? MINUS : ''}$${scaled(v, SUFFIXES)}`),
  /** A scale tick: `$10k`, `$1B` */
  tick: (v) => format.money(v).replace(/\.0+(?=\D|$)/, ''),
  /** `USD $16.2B` */
  usd: (v) => (absent(v) ? ABSENT : `USD ${format.money(v)}`),
  /** `$378 billion` */
  moneyWords: (v) => (absent(v) ? ABSENT : `$${scaled(v, WORDS)}`),
  /** `$2,274` */
  dollars: (v) => (absent(v) ? ABSENT : `${v < 0 ? MINUS : ''}$${Math.abs(Math.round(v)).toLocaleString('en-US')}`),
  /** A fraction as a percentage with a fixed number of decimals: `3.38%` */
  percent: (v, decimals = 2) => (absent(v) ? ABSENT : `${v < 0 ? MINUS : ''}${fixed(Math.abs(v) * 100, decimals)}%`),
  /** Up to two decimals: `10.7%` */
  percentShort: (v) => (absent(v) ? ABSENT : `${Number(fixed(v * 100, 2))}%`),
  /** Up to three significant digits, without sign: `13.1%`, `19%` */
  growth: (v) => (absent(v) ? ABSENT : `${Number((Math.abs(v) * 100).toPrecision(3))}%`),
  ordinal: (n) => {
    if (absent(n)) return ABSENT;
    const tail = n % 100 >= 11 && n % 100 <= 13 ? 'th' : ['th', 'st', 'nd', 'rd'][n % 10] || 'th';
    return `${n}${tail}`;
  },
  /** `116th of 145` */
  rank: (n, total) => (absent(n) ? ABSENT : `${format.ordinal(n)} of ${absent(total) ? ABSENT : total}`),
  /** Product complexity: three significant digits, trailing zeros dropped */
  pci: (v) => (absent(v) ? 'N/A' : signed(Number(Math.abs(v).toPrecision(3)).toString(), v)),
  /** Product complexity in the explorer: three decimals */
  pciFixed: (v) => (absent(v) ? 'N/A' : signed(fixed(Math.abs(v), 3), v)),
  /** Economic complexity: two decimals, typographic minus */
  eci: (v) => (absent(v) ? ABSENT : `${v < 0 && fixed(Math.abs(v), 2) !== '0.00' ? '\u2212' : ''}${fixed(Math.abs(v), 2)}`),
  /** `52.4 million` */
  people: (v) => (absent(v) ? ABSENT : scaled(v, WORDS)),
  /** Whole numbers with thousands comma */
  integer: (v) => (absent(v) ? ABSENT : Math.round(v).toLocaleString('en-US')),
  rca: (v) => (absent(v) ? ABSENT : fixed(v, 2)),
  distance: (v) => (absent(v) ? ABSENT : fixed(v, 3)),
  /** Header total of the explorer, `$16B`, `$9.8B` */
  compact: (v) =>
    absent(v) ? ABSENT : new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', notation: 'compact' }).format(v),
};

function signed(text, value) {
  return `${value < 0 && Number(text) !== 0 ? MINUS : ''}${text}`;
}

/** Rounds half up on the shortest decimal form, so that binary fractions do not affect 0.285 %. */
function fixed(value, decimals) {
  const shifted = Math.round(Number(`${Number(value.toPrecision(12))}e${decimals}`));
  return (shifted / 10 ** decimals).toFixed(decimals);
}

/** The text in the continental convention, with decimal and thousands separators swapped. */
function otherConvention(text) {
  if (/ of \d+/.test(text)) return text.replace(/(\d+)\w\w of (\d+)/, '$1 / $2');
  const swapped = text.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
  if (/\$/.test(swapped)) return swapped.replace(/^(USD )?([-\u2212]?)\$(.*)$/, '$2$3 $');
  return swapped.replace(/\s*%/, ' %');
}
