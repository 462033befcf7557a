/** The character references of HTML 4 for the signs from U+00A0 to U+00FF, in their order. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot ' +
  'cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml ' +
  'Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ' +
  'ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

const others =
  'quot " amp & lt < gt > apos \' OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” ' +
  'bdquo „ dagger † Dagger ‡ bull • hellip … permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › euro € trade ™ larr ← uarr ↑ rarr → darr ↓ ' +
  'harr ↔ minus − infin ∞ asymp ≈ ne ≠ le ≤ ge ≥ radic √ sum ∑ Omega Ω omega ω pi π alpha α beta β gamma γ Delta Δ delta δ ' +
  'lambda λ mu μ sigma σ'

const pairs = others.split(' ')
const named = new Map([
  ...latin.split(' ').map((name, index): [string, string] => [name, String.fromCodePoint(0xa0 + index)]),
  ...pairs.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, pairs[index + 1] ?? '']] : [])),
  ['ensp', '\u2002'] as const,
  ['emsp', '\u2003'] as const,
  ['thinsp', '\u2009'] as const,
])

/** A text with its character references as the signs that they mean; unknown ones stay as they are written. */
export const withoutReferences = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]*));/g, (whole, decimal, hex, name) =>
    name === undefined
      ? signOf(decimal === undefined ? parseInt(hex, 16) : Number(decimal))
      : (named.get(name) ?? whole),
  )

const signOf = (code: number): string =>
  code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code)
