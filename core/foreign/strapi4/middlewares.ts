import { isSection, merge, type Section } from '../../config/merge.js'

/** The equivalent of a Strapi 4 project's `config/middlewares`. */
export interface Middlewares {
  /** In the words of `config/server`. */
  readonly server: Section
  /** The parts that are ignored: entries that are not run, and single settings. */
  readonly unread: readonly string[]
}

/** Reads the settings of the standard middlewares whose work this server does itself; none of the others is run. */
export function readMiddlewares(listed: unknown): Middlewares {
  const all = (Array.isArray(listed) ? listed : []).map(readEntry)
  const server = all.reduce<unknown>((sum, one) => merge(sum, one.server), {}) as Section
  return { server, unread: all.flatMap(({ unread }) => unread) }
}

function readEntry(entry: unknown): Middlewares {
  const { name, resolve, config } = (typeof entry === 'string' ? { name: entry } : Object(entry)) as Section
  const called = String(name ?? resolve)
  if (!called.startsWith('strapi::') || resolve !== undefined) return { server: {}, unread: [called] }
  if (!isSection(config)) return { server: {}, unread: [] }
  const { server, unread } = (readers[called] ?? (given => readAll(given, {})))(config)
  return { server, unread: unread.map(setting => `${called}: ${setting}`) }
}

const readers: Readonly<Record<string, (config: Section) => Middlewares>> = {
  'strapi::body': readBody,
  'strapi::cors': readCors,
  'strapi::security': readSecurity,
}

/** A setting in the words of `config/server`; undefined where it cannot be obeyed. */
type Setting = (value: unknown) => Section | undefined

function readAll(config: Section, settings: Readonly<Record<string, Setting>>): Middlewares {
  const server: Record<string, unknown> = {}
  const unread: string[] = []
  for (const [key, value] of Object.entries(config)) {
    if (value === undefined) continue
    const read = Object.hasOwn(settings, key) ? settings[key]?.(value) : undefined
    if (read) Object.assign(server, read)
    else unread.push(key)
  }
  return { server, unread }
}

function readBody({ formidable, ...config }: Section): Middlewares {
  const limit = (name: string) => (value: unknown) => {
    const bytes = bytesOf(value)
    return bytes === undefined ? undefined : { [name]: bytes }
  }
  const own = readAll(config, { jsonLimit: limit('json'), formLimit: limit('form'), textLimit: limit('text') })
  const form = readAll(isSection(formidable) ? formidable : {}, { maxFileSize: limit('multipart') })
  const body = { ...own.server, ...form.server }
  return {
    server: Object.keys(body).length > 0 ? { body } : {},
    unread: [...own.unread, ...form.unread.map(name => `formidable.${name}`)],
  }
}

const units = ['b', 'kb', 'mb', 'gb', 'tb']

/** `5mb`, `1.5 MB` or a number of bytes. */
function bytesOf(value: unknown): number | undefined {
  const [, count, unit = 'b'] = /^(\d+(?:\.\d+)?)\s*([kmgt]?b)?$/i.exec(String(value).trim()) ?? []
  return count === undefined ? undefined : Math.floor(Number(count) * 1024 ** units.indexOf(unit.toLowerCase()))
}

function readCors(config: Section): Middlewares {
  const list = (name: string) => (value: unknown) => {
    const names = namesOf(value)
    return names && { [name]: names }
  }
  const { server, unread } = readAll(config, {
    enabled: value => (typeof value === 'boolean' ? { enabled: value } : undefined),
    origin: value => {
      const origin = namesOf(value)
      return origin && { origin: origin.includes('*') ? '*' : origin }
    },
    headers: list('headers'),
    methods: list('methods'),
    expose: list('expose'),
    maxAge: value => (Number.isInteger(Number(value)) ? { maxAge: Number(value) } : undefined),
    credentials: value => (typeof value === 'boolean' ? { credentials: value } : undefined),
    // Errors have the headers of every response.
    keepHeaderOnError: () => ({}),
  })
  const told = unread.map(name =>
    name === 'origin' ? `origin is a ${typeof config.origin}: no other origin may read responses` : name,
  )
  const { credentials, ...rest } = server
  const cors = { ...rest, ...(unread.includes('origin') && { origin: [] }) } as Section
  // Credentials for every origin would let each site act for the visitor.
  const isOpen = (cors.origin ?? '*') === '*'
  if (credentials === true && isOpen) told.push('credentials, which need listed origins')
  const obeyed = credentials === undefined || isOpen ? cors : { ...cors, credentials }
  return { server: Object.keys(obeyed).length > 0 ? { cors: obeyed } : {}, unread: told }
}

/** `a, b` and a list are the same. */
function namesOf(value: unknown): string[] | undefined {
  const names: unknown[] = typeof value === 'string' ? value.split(',').map(name => name.trim()) : [value].flat()
  return names.every(name => typeof name === 'string' && isPrintable(name)) ? (names as string[]) : undefined
}

/** Anything else in a header would fail each response. */
const isPrintable = (text: string): boolean => /^[\x20-\x7e]+$/.test(text)

function readSecurity(config: Section): Middlewares {
  const { server, unread } = readAll(config, {
    contentSecurityPolicy: value => headerOf('contentSecurityPolicy', value, policyOf),
    hsts: value => headerOf('strictTransportSecurity', value, transportOf),
    strictTransportSecurity: value => headerOf('strictTransportSecurity', value, transportOf),
    referrerPolicy: value =>
      headerOf('referrerPolicy', value, ({ policy = 'no-referrer' }) => namesOf(policy)?.join(',')),
    noSniff: value => (value === false ? undefined : {}),
  })
  // Every other header of this middleware is not sent in any case.
  const told = unread.filter(name => config[name] !== false || name === 'noSniff')
  return { server: Object.keys(server).length > 0 ? { headers: server } : {}, unread: told }
}

function headerOf(name: string, value: unknown, textOf: (options: Section) => string | undefined): Section | undefined {
  if (value === false) return { [name]: false }
  const text = isSection(value) ? textOf(value) : undefined
  return text !== undefined && isPrintable(text) ? { [name]: text } : undefined
}

function transportOf({ maxAge = 31_536_000, includeSubDomains = true, preload = false }: Section): string {
  return [
    `max-age=${maxAge}`,
    ...(includeSubDomains ? ['includeSubDomains'] : []),
    ...(preload ? ['preload'] : []),
  ].join('; ')
}

/** Helmet's default policy. */
const usualDirectives = {
  'default-src': ["'self'"],
  'base-uri': ["'self'"],
  'font-src': ["'self'", 'https:', 'data:'],
  'form-action': ["'self'"],
  'frame-ancestors': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'object-src': ["'none'"],
  'script-src': ["'self'"],
  'script-src-attr': ["'none'"],
  'style-src': ["'self'", 'https:', "'unsafe-inline'"],
}

function policyOf({ useDefaults = true, directives, reportOnly = false }: Section): string | undefined {
  if (!isSection(directives) || reportOnly) return undefined
  const named = Object.entries(directives).map(([name, value]) => [kebab(name), value] as const)
  const all: [string, unknown][] = Object.entries({
    ...(useDefaults ? usualDirectives : {}),
    ...Object.fromEntries(named),
  })
  const set = all.filter(([, value]) => value !== null && value !== false)
  const parts = set.map(([name, value]) => {
    const words = value === true ? [] : [value].flat()
    return words.every(word => typeof word === 'string') ? [name, ...words].join(' ') : undefined
  })
  return parts.includes(undefined) ? undefined : parts.join('; ')
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
