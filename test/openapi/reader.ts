import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import qs from 'qs'

type Json = Readonly<Record<string, unknown>>

export interface Document extends Json {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

export interface Operation extends Json {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly security: readonly Json[]
  readonly parameters?: readonly Json[]
  readonly requestBody?: Json
  readonly responses: Readonly<Record<string, Json>>
}

/** An operation of the document that a request is for, with the values in its path. */
export interface Match {
  readonly operation: Operation
  readonly pointer: readonly string[]
  readonly params: Readonly<Record<string, string>>
}

/** A parameter of an operation, with where its schema stands. */
interface Parameter {
  readonly name: string
  readonly in: string
  readonly pointer: readonly string[]
}

/** Reads requests and responses as the document says that they are. */
export class DocumentReader {
  readonly document: Document
  readonly #loose: Ajv2020
  readonly #strict: Ajv2020
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(document: Document) {
    this.document = document
    // Values of a query are text: they are read as what the schema says.
    this.#loose = ajv(document, { coerceTypes: true })
    this.#strict = ajv(closed(document) as Document, {})
  }

  /** The operation of a request; names in a path win over parameters. */
  match(method: string, path: string): Match | undefined {
    const segments = path.replace(/\/$/, '').split('/')
    const found = Object.keys(this.document.paths).flatMap(template => {
      const wanted = template.split('/')
      const operation = this.document.paths[template]?.[method.toLowerCase()]
      if (!operation || wanted.length !== segments.length) return []
      const params: Record<string, string> = {}
      for (const [index, part] of wanted.entries()) {
        const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
        if (name !== undefined) params[name] = decodeURIComponent(segments[index] ?? '')
        else if (part.toLowerCase() !== segments[index]?.toLowerCase()) return []
      }
      return [{ operation, pointer: ['paths', template, method.toLowerCase()], params }]
    })
    return found.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0]
  }

  /** Errors in the path and the query of a request. */
  wrongQuery(match: Match, query: string): string[] {
    const parameters = this.#parametersOf(match)
    const wrong = parameters
      .filter(one => one.in === 'path')
      .flatMap(one => this.#problems(this.#loose, [...one.pointer, 'schema'], match.params[one.name], one.name))
    for (const [name, value] of Object.entries(sentIn(query))) {
      const parameter = parameters.find(one => one.in === 'query' && one.name === name)
      if (parameter) wrong.push(...this.#problems(this.#loose, [...parameter.pointer, 'schema'], value, name))
      else wrong.push(`${name}: no such parameter`)
    }
    return wrong
  }

  /** Errors in a JSON body. */
  wrongBody({ operation, pointer }: Match, body: unknown): string[] {
    const content = operation.requestBody?.content as Json | undefined
    if (!content?.['application/json']) return ['the operation takes no JSON']
    return this.#problems(
      this.#loose,
      [...pointer, 'requestBody', 'content', 'application/json', 'schema'],
      body,
      'body',
    )
  }

  /** Errors in a response; properties that the document does not know are errors. */
  wrongResponse({ operation, pointer }: Match, status: number, body: unknown): string[] {
    const response = operation.responses[String(status)]
    if (!response) return [`no response ${status}`]
    const at = this.#resolved([...pointer, 'responses', String(status)])
    const content = this.#at(at).content as Json | undefined
    if (!content) return body === undefined || body === '' ? [] : ['a body where there should be none']
    if (body === undefined) return ['no body']
    return this.#problems(this.#strict, [...at, 'content', 'application/json', 'schema'], body, `${status}`)
  }

  /** The schema of a parameter or a body, for tests of single values. */
  problems(pointer: readonly string[], value: unknown): string[] {
    return this.#problems(this.#strict, pointer, value, '')
  }

  #parametersOf({ operation, pointer }: Match): Parameter[] {
    return (operation.parameters ?? []).map((_, index) => {
      const at = this.#resolved([...pointer, 'parameters', String(index)])
      const { name, in: place } = this.#at(at)
      return { name: String(name), in: String(place), pointer: at }
    })
  }

  /** The pointer behind a reference; others stay. */
  #resolved(pointer: readonly string[]): readonly string[] {
    const { $ref } = this.#at(pointer)
    return typeof $ref === 'string' ? $ref.slice(2).split('/') : pointer
  }

  #at(pointer: readonly string[]): Json {
    let found: unknown = this.document
    for (const step of pointer) found = (found as Json | undefined)?.[step]
    return (found ?? {}) as Json
  }

  #problems(ajv: Ajv2020, pointer: readonly string[], value: unknown, name: string): string[] {
    const path = pointer.map(step => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    const key = `${ajv === this.#loose} ${path}`
    let validate = this.#compiled.get(key)
    if (!validate) {
      validate = ajv.compile({ $ref: `document#/${path}` })
      this.#compiled.set(key, validate)
    }
    // Reading changes what it reads: a text becomes the number that it stands for.
    if (validate({ value: structuredClone(value) }.value)) return []
    return [
      `${name}: ${(validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')}`,
    ]
  }
}

function ajv(document: Document, options: object): Ajv2020 {
  const made = new Ajv2020({ strict: false, allErrors: false, ...options })
  const clock = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/
  for (const [name, format] of Object.entries({ date: /^\d{4}-\d{2}-\d{2}$/, 'date-time': clock, email: /@/ }))
    made.addFormat(name, format)
  for (const name of ['binary', 'uri', 'password']) made.addFormat(name, true)
  made.addSchema({ ...document, $id: 'document' })
  return made
}

/** The document with objects that have no properties but those that it names. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed)
  if (typeof part !== 'object' || part === null) return part
  const inner = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]))
  const isOpen = inner.type === 'object' && inner.properties !== undefined && inner.additionalProperties === undefined
  return isOpen ? { ...inner, additionalProperties: false } : inner
}

/** The parameters of a query; names of pagination include their brackets. */
function sentIn(query: string): Json {
  const { pagination, ...others } = qs.parse(query, { depth: 100, arrayLimit: 1000, parameterLimit: 10_000 })
  if (typeof pagination !== 'object') return { ...others, ...(pagination !== undefined && { pagination }) }
  return {
    ...others,
    ...Object.fromEntries(Object.entries(pagination).map(([key, value]) => [`pagination[${key}]`, value])),
  }
}
