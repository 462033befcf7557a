type Headers = Readonly<Record<string, string>>

/** Headers for the responses of a page. */
export interface PageHeaders {
  /** For the page itself: browsers ask for it again. */
  readonly page: Headers
  /** For files that have another name when their content is another one. */
  readonly asset: Headers
  /** For what the page asks for: it depends on the caller. */
  readonly data: Headers
}

/** Directives of a content security policy, by their names. */
type Directives = Readonly<Record<string, string>>

/** Pages load and call this server only, and run no inline script. */
const usual: Directives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
}

/** The headers of a page, whose policy replaces or adds some directives: `{ 'img-src': "'self' blob:" }`. */
export function headersOf(directives: Directives = {}): PageHeaders {
  const policy = Object.entries({ ...usual, ...directives }).map(([name, sources]) => `${name} ${sources}`)
  // The policies of pages do not depend on the app's settings for its API.
  const common: Headers = { 'Content-Security-Policy': policy.join('; '), 'Referrer-Policy': 'no-referrer' }
  return {
    page: { ...common, 'Cross-Origin-Opener-Policy': 'same-origin', 'Cache-Control': 'no-cache' },
    asset: { ...common, 'Cache-Control': 'public, max-age=31536000, immutable' },
    data: { ...common, 'Cache-Control': 'private, no-cache' },
  }
}
