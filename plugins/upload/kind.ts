import { lookup, extension as usualExtension } from 'mime-types'
import { ValidationError } from '../../core/index.js'
import { extensionOf } from './names.js'

/** The kind of a file: the type it is stored and served under, and its extension. */
export interface Kind {
  readonly mime: string
  readonly ext: string
}

/** The name and type that a client claims for a file. */
interface Claim {
  readonly name: string
  readonly mime: string | undefined
}

interface Content {
  readonly path: string
  readonly bytes: number
  readonly head: Buffer
}

export interface KindRules {
  /** Types that may be uploaded: `image/png`, `image/*`, `*`. */
  readonly allow: readonly string[]
  /** A claim that nothing in the content contradicts is believed. */
  readonly trusting: boolean
}

/** Recognises the kind of a file by its content, and refuses forbidden kinds. */
export async function kindOf(file: Claim & Content, rules: KindRules): Promise<Kind> {
  const kind = decide(file, await recognise(file), rules.trusting)
  if (rules.allow.some(pattern => matches(pattern, kind.mime))) return kind
  throw new ValidationError(`${file.name}: files of the type ${kind.mime} are not taken here`)
}

const matches = (pattern: string, mime: string): boolean =>
  pattern === '*/*' || (pattern.endsWith('*') ? mime.startsWith(pattern.slice(0, -1)) : pattern === mime)

/** The kind by content alone. Text of no known form is `text`; bytes of no known form are undefined. */
async function recognise({ path, bytes, head }: Content): Promise<Kind | 'text' | undefined> {
  const markup = markupOf(head)
  if (markup) return markup
  // Two bytes a letter begin like a frame of sound.
  if (isWide(head)) return isText(textOf(head)) ? 'text' : undefined
  const { fileTypeFromBuffer, fileTypeFromFile } = await import('file-type')
  const found = await (bytes > head.length ? fileTypeFromFile(path) : fileTypeFromBuffer(head)).catch(() => undefined)
  if (found) return { mime: found.mime, ext: `.${found.ext}` }
  return isText(textOf(head)) ? 'text' : undefined
}

/** The types of pictures that can be measured. */
export const pictureTypes: readonly string[] = ['jpeg', 'png', 'apng', 'webp', 'avif', 'gif', 'tiff'].map(
  name => `image/${name}`,
)

/** Bytes of a file's beginning by which its kind is recognised. */
export const sample = 4096

/** The type of stored content, by its beginning; the rest is not read. */
export async function typeOfContent(content: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of content) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= sample) break
  }
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(Buffer.concat(chunks)).catch(() => undefined))?.mime
}

const html =
  /^<(!doctype html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|img|meta|link|form|object|embed|video|audio|base)[\s/>]/i

/** Markup that browsers run, told as they tell it: by the first tag behind white space, comments and declarations. */
function markupOf(head: Buffer): Kind | undefined {
  let rest = textOf(head).trimStart()
  let isXml = false
  for (let left = 50; left > 0; left -= 1) {
    const skipped =
      /^(<!--[\s\S]*?(-->|$)|<\?[\s\S]*?(\?>|$)|<!doctype (?!html)[^>[]*(\[[\s\S]*?(\]|$))?\s*(>|$))/i.exec(rest)
    if (!skipped?.[0]) break
    isXml ||= rest.startsWith('<?xml') || /^<!doctype/i.test(rest)
    rest = rest.slice(skipped[0].length).trimStart()
  }
  if (/^<([\w-]+:)?svg[\s/>]/i.test(rest)) return { mime: 'image/svg+xml', ext: '.svg' }
  if (html.test(rest)) return { mime: 'text/html', ext: '.html' }
  return isXml ? { mime: 'application/xml', ext: '.xml' } : undefined
}

const isWide = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** The beginning of a file as text; UTF-16 says by its first bytes that it is one, and in which order. */
function textOf(head: Buffer): string {
  if (!isWide(head)) return head.toString('utf8').replace(/^\ufeff/, '')
  const even = Buffer.from(head.subarray(0, head.length - (head.length % 2)))
  return (head[0] === 0xff ? even : even.swap16()).toString('utf16le').slice(1)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these
const isText = (text: string): boolean => !/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text)

/** Archives that other formats are made of: the name tells which. */
const containers = ['application/zip', 'application/x-cfb', 'application/gzip', 'application/xml']
const markup = ['image/svg+xml', 'text/html', 'application/xml']

function decide(claim: Claim, found: Kind | 'text' | undefined, trusting: boolean): Kind {
  return found === undefined || found === 'text'
    ? decideByClaim(claim, found === 'text', trusting)
    : decideByContent(claim, found, trusting)
}

/** Content of no known form has the claimed kind, unless files of that type could be known by their content. */
function decideByClaim(claim: Claim, isText: boolean, trusting: boolean): Kind {
  const claimed = claimedKind(claim)
  if (!claimed) return isText ? { mime: 'text/plain', ext: '.txt' } : { mime: binary, ext: extensionOf(claim.name) }
  const fits = !isRecognisable(claimed.mime) && (isText || !isTextual(claimed.mime))
  if (fits || trusting) return claimed
  throw contradiction(claim, claimed, isText ? 'plain text' : 'not of a type that could be recognised')
}

function decideByContent(claim: Claim, found: Kind, trusting: boolean): Kind {
  const claimed = claimedKind(claim)
  if (!claimed) return found
  if (claimed.mime === found.mime || lookup(claimed.ext) === lookup(found.ext)) return claimed
  if (markup.includes(found.mime)) {
    // Text served under the claimed type is only text, with any content.
    if (isTextual(claimed.mime)) return claimed
    throw contradiction(claim, claimed, `of the type ${found.mime}`)
  }
  if (containers.includes(found.mime) && familyOf(claimed.mime) === 'application') return claimed
  // A picture under the name of another kind of picture is common, and harmless under its own.
  if (trusting || familyOf(claimed.mime) === familyOf(found.mime)) return found
  throw contradiction(claim, claimed, `of the type ${found.mime}`)
}

const binary = 'application/octet-stream'

/** The kind by name and headers; the name comes first, as it decides how the file is served. */
function claimedKind({ name, mime }: Claim): Kind | undefined {
  const ext = extensionOf(name)
  const sent =
    mime !== undefined && /^[\w.+-]+\/[\w.+-]+$/.test(mime) && mime !== binary ? mime.toLowerCase() : undefined
  const named = ext && lookup(ext)
  if (named) return { mime: sent !== undefined && lookup(usualExtension(sent) || '') === named ? sent : named, ext }
  if (ext !== '') return { mime: binary, ext }
  const usual = sent && usualExtension(sent)
  return usual ? { mime: sent, ext: `.${usual}` } : undefined
}

const familyOf = (mime: string): string => {
  const [family = ''] = mime.split('/')
  return family === 'audio' || family === 'video' || mime === 'application/ogg' || mime === 'application/mp4'
    ? 'media'
    : family
}

/** Formats whose every file begins with a mark: content without one is something else. */
const isRecognisable = (mime: string): boolean =>
  (['image', 'media', 'font'].includes(familyOf(mime)) &&
    !/^(image\/svg\+xml|audio\/midi|image\/x-tga|video\/mp2t)$/.test(mime)) ||
  mime === 'image/svg+xml' ||
  mime === 'application/pdf' ||
  mime === 'application/zip'

const isTextual = (mime: string): boolean =>
  mime.startsWith('text/') ||
  (/[/+](json|xml|yaml|javascript|x-sh|sql|rtf|x-httpd-php)$/.test(mime) && mime !== 'image/svg+xml')

const contradiction = ({ name }: Claim, { mime }: Kind, content: string): ValidationError =>
  new ValidationError(`${name}: the file is named or sent as ${mime}, and its content is ${content}`)
