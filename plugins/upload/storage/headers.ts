/** Types that browsers show and never run; everything else is sent as an attachment. */
const shown = /^(image\/(?!svg)[\w.+-]+|audio\/[\w.+-]+|video\/[\w.+-]+|font\/[\w.+-]+|text\/plain|application\/pdf)$/

export const isInline = (mime: string): boolean => shown.test(mime)

/** The policy for a browser's own viewers; nothing that a file contains is loaded or run. */
const viewing = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'"
const closed = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** The headers of a file: served under its type alone, and never run. */
export function headersOf(mime: string): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': isInline(mime) ? viewing : closed,
    ...(!isInline(mime) && { 'Content-Disposition': 'attachment' }),
  }
}
