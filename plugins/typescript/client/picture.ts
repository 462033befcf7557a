/** A file as the API returns it, in its envelope or plain. */
export type Picture = PictureFile | { readonly attributes: PictureFile }

export interface PictureFile {
  readonly url: string
  readonly updatedAt?: string | null
  readonly width?: number | null
  readonly hash?: string
  readonly ext?: string | null
  /** The sizes that are stored with it. */
  readonly formats?: unknown
}

/** The variant of a picture that the server makes, where its settings allow for variants. */
export interface Variant {
  readonly width?: number
  readonly height?: number
  readonly fit?: 'cover' | 'contain' | 'inside'
  readonly format?: 'webp' | 'avif' | 'jpeg' | 'png'
  readonly quality?: number
  readonly focalX?: number
  readonly focalY?: number
}

const fileOf = (picture: Picture): PictureFile => ('attributes' in picture ? picture.attributes : picture)

/**
 * The address of a picture, or of a variant of it; relative ones begin at `base`, the address of the API. The response may be
 * cached for a year, as the address changes with the file. Variants of files in a bucket have the address of the server.
 */
export function pictureUrl(picture: Picture, base: string, variant: Variant = {}): string {
  const { url, hash, ext, updatedAt } = fileOf(picture)
  const wanted = Object.entries(variant).filter(([, value]) => value !== undefined)
  const isElsewhere = /^\w+:/.test(url)
  const address = new URL(isElsewhere && wanted[0] ? `/uploads/${hash}${ext ?? ''}` : url, base)
  for (const [key, value] of wanted) address.searchParams.set(key, `${value}`)
  if (updatedAt && (wanted[0] || !isElsewhere)) address.searchParams.set('v', updatedAt)
  return address.href
}

/** The `srcset` of a picture: variants of these widths, or else the sizes that are stored with it, and the picture itself. */
export function srcset(
  picture: Picture,
  base: string,
  widths?: readonly number[],
  variant?: Omit<Variant, 'width'>,
): string {
  const file = fileOf(picture)
  const of = (url: string, width: unknown) => `${url} ${width}w`
  if (widths) return widths.map(width => of(pictureUrl(file, base, { ...variant, width }), width)).join(', ')
  const stored = Object.values((file.formats ?? {}) as Record<string, PictureFile>)
  return [...stored, file]
    .filter(({ width }) => width)
    .sort((one, other) => Number(one.width) - Number(other.width))
    .map(one => of(pictureUrl({ updatedAt: file.updatedAt ?? null, url: one.url }, base), one.width))
    .join(', ')
}
