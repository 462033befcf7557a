const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const
const systems = [
  ['iOS', /\b(iPhone|iPad)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** A browser and its system in two words, from what it says of itself in `User-Agent`; undefined for one that is not known. */
export function browserName(agent: string | null): string | undefined {
  // Each browser names the older ones it is compatible with behind its own name, so that the first one here is meant.
  const named = (known: readonly (readonly [string, RegExp])[]) => known.find(([, sign]) => sign.test(agent ?? ''))?.[0]
  const found = [named(browsers), named(systems)].filter(name => name !== undefined)
  return found.length > 0 ? found.join(', ') : undefined
}
