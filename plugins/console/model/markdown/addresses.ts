/** The protocols of links that a preview opens. */
const linked = ['http:', 'https:', 'mailto:']

/** The address of a link, if it is one that may be opened; undefined for scripts and the like. */
export const linkAddress = (href: string, page: string): string | undefined =>
  linked.includes(protocolOf(href, page)) ? href : undefined

/** The address of a picture, if the policy of the page lets it be shown: from this server, or where files are stored. */
export function pictureAddress(href: string, page: string, origins: readonly string[]): string | undefined {
  if (!['http:', 'https:'].includes(protocolOf(href, page))) return undefined
  const { origin } = new URL(href, page)
  return origin === new URL(page).origin || origins.includes(origin) ? href : undefined
}

const protocolOf = (href: string, page: string): string =>
  URL.canParse(href, page) ? new URL(href, page).protocol : ''
