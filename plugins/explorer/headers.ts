type Headers = Readonly<Record<string, string>>

/** The content security policy: pages load and call this server only, and run no inline script. */
const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
].join('; ')

// The policies of the pages do not depend on the app's settings for its API.
const common: Headers = { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' }

export const pageHeaders: Headers = {
  ...common,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
}
export const assetHeaders: Headers = { ...common, 'Cache-Control': 'public, max-age=31536000, immutable' }
export const dataHeaders: Headers = { ...common, 'Cache-Control': 'private, no-cache' }
