/** Red, green and blue, each from 0 to 255. */
type Colour = readonly number[]

interface Ground {
  /** The colour that the accent moves to until it can be read. */
  readonly toward: Colour
  /** The grounds on which it stands, or that stand on it, as in the styles of pages. */
  readonly surfaces: readonly Colour[]
  /** The ground that is tinted. */
  readonly base: Colour
}

const light: Ground = {
  toward: [0, 0, 0],
  surfaces: ['#ffffff', '#f6f7f9'].map(colourIn),
  base: colourIn('#ffffff'),
}
const dark: Ground = {
  toward: [255, 255, 255],
  surfaces: ['#10131a', '#14161a', '#1a1d22', '#22262d'].map(colourIn),
  base: colourIn('#1a1d22'),
}

/** The contrast that WCAG 2.2 AA asks of texts. */
const enough = 4.5
const steps = 100
/** The share of the accent in the ground of what is chosen. */
const tinted = 0.12

/** A style sheet that gives the pages an accent: `#rrggbb`, darkened, and lightened in the dark, until it can be read everywhere. */
export function accentSheet(accent: string): string {
  const [day, night] = [light, dark].map(ground => shadeOn(ground, colourIn(accent))) as [Shade, Shade]
  return `:root {
  --accent: light-dark(${day.accent}, ${night.accent});
  --tint: light-dark(${day.tint}, ${night.tint});
}
`
}

interface Shade {
  readonly accent: string
  readonly tint: string
}

function shadeOn({ toward, surfaces, base }: Ground, given: Colour): Shade {
  for (let step = 0; ; step += 1) {
    const accent = rounded(mixed(given, toward, step / steps))
    const tint = rounded(mixed(base, accent, tinted))
    const isReadable = [...surfaces, tint].every(surface => contrast(accent, surface) >= enough)
    if (isReadable || step === steps) return { accent: textOf(accent), tint: textOf(tint) }
  }
}

function colourIn(text: string): Colour {
  return [1, 3, 5].map(at => Number.parseInt(text.slice(at, at + 2), 16))
}

const textOf = (colour: Colour): string => `#${colour.map(part => part.toString(16).padStart(2, '0')).join('')}`

const rounded = (colour: Colour): Colour => colour.map(Math.round)

const mixed = (from: Colour, to: Colour, share: number): Colour =>
  from.map((part, index) => part + ((to[index] ?? 0) - part) * share)

/** The ratio of WCAG: 1 for the same colours, 21 for black and white. */
export function contrast(one: Colour, other: Colour): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (bright + 0.05) / (dim + 0.05)
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour
    .map(part => part / 255)
    .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
