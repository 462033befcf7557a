/** As much of the package graphql as tells whether it can be used. */
interface Package {
  readonly versionInfo?: { readonly major: number; readonly minor: number }
}

/** The reason why the package graphql cannot be used; undefined if it can. */
export async function missingPackage(load: () => Promise<Package>): Promise<string | undefined> {
  try {
    const { versionInfo: { major, minor } = { major: 0, minor: 0 } } = await load()
    if (major === 17 || (major === 16 && minor >= 11)) return undefined
    return `the plugin graphql needs version 16 or 17 of the package graphql, from 16.11 on, and ${major}.${minor} is installed: npm install graphql@16`
  } catch (error) {
    if (!isAbsent(error)) throw error
    return 'the plugin graphql needs the package graphql, which is not installed: npm install graphql@16'
  }
}

const isAbsent = (error: unknown): boolean =>
  ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(String((error as NodeJS.ErrnoException | undefined)?.code))
