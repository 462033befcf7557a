import { createHmac, timingSafeEqual } from 'node:crypto'
import { BootError, ForbiddenError, InvalidParameter } from '../../../core/index.js'

/** The requested variant of a picture. */
export interface Wish {
  readonly width?: number
  readonly height?: number
  readonly fit: Fit
  readonly format?: VariantFormat
  readonly quality?: number
  /** The part of the picture that a cut keeps in its middle, as shares of its width and height. */
  readonly focus?: { readonly x: number; readonly y: number }
}

export const fits = ['cover', 'contain', 'inside'] as const
export type Fit = (typeof fits)[number]
export const variantFormats = ['webp', 'avif', 'jpeg', 'png'] as const
export type VariantFormat = (typeof variantFormats)[number]

/** The longest side of a variant, with a signature too. */
const longest = 4096

/** Rules for variants: the listed ones are allowed, and with a signature any. */
export interface VariantRules {
  readonly sizes: ReadonlySet<string>
  readonly formats: readonly string[]
  readonly qualities: readonly number[]
  readonly secret: string
}

const number = { type: 'integer', minimum: 1, maximum: longest } as const
const share = { type: 'number', minimum: 0, maximum: 1 } as const

/** The parameters, for descriptions of the route. */
export const asks = {
  width: number,
  height: number,
  fit: { enum: fits },
  format: { enum: variantFormats },
  quality: { type: 'integer', minimum: 1, maximum: 100 },
  focalX: share,
  focalY: share,
  v: {
    type: 'string',
    maxLength: 100,
    description: 'anything that changes with the file: the response is cached for a year',
  },
  signature: { type: 'string' },
} as const

const names = Object.keys(asks)

/** True if the query requests a variant. The parameter `v` alone is a cache key of the file itself. */
export const asksForVariant = (query: URLSearchParams): boolean => names.some(name => name !== 'v' && query.has(name))

/** The sizes of the settings, as `640`, `x400` and `1200x630`. */
export function readSizes(sizes: readonly string[]): ReadonlySet<string> {
  const known = sizes.map(size => {
    const [, width, height] = /^(\d{0,4})(?:x(\d{1,4}))?$/.exec(size) ?? []
    const sides = [width, height].filter(side => side !== undefined && side !== '').map(Number)
    if (sides.length === 0 || sides.some(side => side < 1 || side > longest))
      throw new BootError(
        `config/plugins: upload.config.variants.sizes: ${JSON.stringify(size)} is no size; write "640" (a width), "x400" (a height) or "1200x630", up to ${longest} pixels`,
      )
    return sizeOf(width ? Number(width) : undefined, height === undefined ? undefined : Number(height))
  })
  return new Set(known)
}

/** A size as the settings list it. */
const sizeOf = (width: number | undefined, height: number | undefined): string =>
  `${width ?? ''}${height === undefined ? '' : `x${height}`}`

/** Reads a request for a variant of a file, and checks it against the rules. */
export function readWish(query: URLSearchParams, name: string, rules: VariantRules): Wish {
  for (const parameter of query.keys()) {
    if (!names.includes(parameter))
      throw new InvalidParameter([parameter], `is not a parameter of variants; there are ${names.join(', ')}`)
    if (query.getAll(parameter).length > 1) throw new InvalidParameter([parameter], 'is sent more than once')
  }
  const wish = wishOf(query)
  const signature = query.get('signature')
  if (signature === null) allow(wish, rules)
  else if (rules.secret === '' || !isSigned(query, name, signature, rules.secret))
    throw new ForbiddenError('The signature does not fit the address').because('the signature of a variant is wrong')
  return wish
}

function wishOf(query: URLSearchParams): Wish {
  const width = wholeIn(query, 'width', longest)
  const height = wholeIn(query, 'height', longest)
  const quality = wholeIn(query, 'quality', 100)
  const format = oneOf(query, 'format', variantFormats)
  const fit = oneOf(query, 'fit', fits) ?? 'cover'
  const [x, y] = [shareIn(query, 'focalX'), shareIn(query, 'focalY')]
  return {
    fit,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(quality !== undefined && { quality }),
    ...(format !== undefined && { format }),
    ...((x !== undefined || y !== undefined) && { focus: { x: x ?? 0.5, y: y ?? 0.5 } }),
  }
}

function wholeIn(query: URLSearchParams, name: string, most: number): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  // A number has one spelling, and hence a variant one address: caches in front of the server keep it once.
  const value = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > most)
    throw new InvalidParameter([name], `takes a whole number from 1 to ${most}, in digits without leading zeros`)
  return value
}

function shareIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const value = /^(0(\.\d{1,2})?|1(\.00?)?)$/.test(text) ? Number(text) : undefined
  if (value === undefined)
    throw new InvalidParameter([name], 'takes a number from 0 to 1 with up to two digits behind the point')
  return value
}

function oneOf<Name extends string>(query: URLSearchParams, name: string, allowed: readonly Name[]): Name | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!allowed.includes(text as Name)) throw new InvalidParameter([name], `takes ${allowed.join(', ')}`)
  return text as Name
}

/** Without a signature, only listed variants are allowed: otherwise every visitor could have endless pictures made. */
function allow({ width, height, format, quality, focus }: Wish, { sizes, formats, qualities }: VariantRules): void {
  const size = sizeOf(width, height)
  const refuse = (parameter: string, what: string, values: readonly unknown[]): never => {
    throw new InvalidParameter(
      [parameter],
      `${what} is not one of those that config/plugins lists (${values.join(', ')}); ask for one of them, or sign the address`,
    )
  }
  if (size !== '' && !sizes.has(size)) refuse(width === undefined ? 'height' : 'width', `the size ${size}`, [...sizes])
  if (format !== undefined && !formats.includes(format)) refuse('format', `the format ${format}`, formats)
  if (quality !== undefined && !qualities.includes(quality)) refuse('quality', `the quality ${quality}`, qualities)
  for (const [name, share] of [
    ['focalX', focus?.x ?? 0],
    ['focalY', focus?.y ?? 0],
  ] as const)
    if (Math.round(share * 100) % 10 !== 0)
      throw new InvalidParameter([name], 'takes tenths; ask for one of them, or sign the address')
}

/** The signature of an address: of the name of the file and its parameters in the order of their names. */
export function signatureOf(name: string, query: URLSearchParams, secret: string): string {
  const signed = [...query]
    .filter(([parameter]) => parameter !== 'signature')
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const text = `${name}?${signed.map(([parameter, value]) => `${parameter}=${value}`).join('&')}`
  return createHmac('sha256', secret).update(text).digest('base64url')
}

function isSigned(query: URLSearchParams, name: string, signature: string, secret: string): boolean {
  const [given, right] = [signature, signatureOf(name, query, secret)].map(text => Buffer.from(text)) as [
    Buffer,
    Buffer,
  ]
  return given.length === right.length && timingSafeEqual(given, right)
}
