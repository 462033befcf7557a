/** Letters of Latin that are one code point and no letter with a mark, as the letters without marks that stand for them. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  Æ: 'Ae',
  æ: 'ae',
  Ð: 'D',
  ð: 'd',
  Ø: 'O',
  ø: 'o',
  Þ: 'Th',
  þ: 'th',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  Ĳ: 'IJ',
  ĳ: 'ij',
  ĸ: 'k',
  Ŀ: 'L',
  ŀ: 'l',
  Ł: 'L',
  ł: 'l',
  ŉ: 'n',
  Ŋ: 'N',
  ŋ: 'n',
  Œ: 'Oe',
  œ: 'oe',
  Ŧ: 'T',
  ŧ: 't',
  ſ: 's',
}

/** Marks that stand behind their letter, and apostrophes: neither parts a word. */
const marks = /[\u0300-\u036f\ufe20-\ufe2f\u20d0-\u20ff'\u2019]/g

const withoutMarks = (name: string): string =>
  name
    .replace(/[\xc0-\xd6\xd8-\xf6\xf8-\u017f]/g, letter => plainLetters[letter] ?? letter.normalize('NFD').charAt(0))
    .replace(marks, '')

/** Characters that part words. */
const between = '\\x00-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\xbf\\xd7\\xf7\\u2000-\\u206f\\s\\u180e'
/** Symbols that are words of their own: a pair of surrogates is one, and a flag is two such pairs. */
const symbol = '(?:[\\u2700-\\u27bf]|(?:\\ud83c[\\udde6-\\uddff]){2}|[\\ud800-\\udbff][\\udc00-\\udfff])'
const shade = '[\\ufe0e\\ufe0f]?(?:\\ud83c[\\udffb-\\udfff])?'
/** Letters of scripts without upper and lower case, and of those whose case is not looked at. */
const other = `[^${between}\\dA-Za-z\\u2700-\\u27bf\\ud800-\\udfff]`

const words = new RegExp(
  [
    `[A-Z]?[a-z]+(?=[${between}A-Z]|$)`,
    `(?:[A-Z]|${other})+(?=[${between}]|[A-Z](?:[a-z]|${other})|$)`,
    `[A-Z]?(?:[a-z]|${other})+`,
    '[A-Z]+',
    '\\d*(?:1ST|2ND|3RD|[04-9]TH)(?=\\b|[a-z_])',
    '\\d*(?:1st|2nd|3rd|[04-9]th)(?=\\b|[A-Z_])',
    '\\d+',
    `${symbol}${shade}(?:\\u200d(?:[^\\ud800-\\udfff]|${symbol})${shade})*`,
  ].join('|'),
  'g',
)

/**
 * Column and table names as the layout writes them: words, numbers and ordinals (`1st`) apart, in lower case, without
 * accents. Databases of another server are laid out by the same rule to the letter; a name that differs is an empty column.
 */
export function snakeCase(name: string): string {
  const parts = withoutMarks(name).match(words)
  return parts ? parts.join('_').toLowerCase() : name.toLowerCase()
}
