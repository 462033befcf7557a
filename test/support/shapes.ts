import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { AppOutline, BodyOutline, ContentType, FormatOutline, JsonSchema, Link } from '../../core/index.js'
import { refTo, shapeOfField } from '../../core/plugin-kit.js'

type Style = 'nested' | 'plain'
const orNull = (schema: JsonSchema) => ({ anyOf: [schema, { type: 'null' }] })

/** Validates bodies against the shapes that an app declares, with the schemas of entries that follow from its types. */
export class ShapeValidator {
  readonly #app: AppOutline
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  readonly #known = new Map<string, ValidateFunction>()

  constructor(app: AppOutline) {
    this.#app = app
    for (const type of app.types.types.values()) {
      this.#ajv.addSchema({ $id: String(refTo(type.uid).$ref), ...this.#entry(type, 'plain') })
      this.#ajv.addSchema({ $id: nestedId(type.uid), ...this.#entry(type, 'nested') })
    }
  }

  /** Errors in a body; empty if it is as declared. */
  problems(shape: BodyOutline, body: unknown): string[] {
    const key = JSON.stringify(shape)
    let validate = this.#known.get(key)
    if (!validate) {
      validate = this.#ajv.compile(this.#schemaOf(shape) as object)
      this.#known.set(key, validate)
    }
    return validate(body)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  #schemaOf(shape: BodyOutline): JsonSchema {
    switch (shape.kind) {
      case 'json':
        return shape.schema
      case 'entry':
      case 'entries': {
        const { entry, shape: format } = this.#formatOf(shape.uid)
        const one = entry === 'plain' ? refTo(shape.uid) : { $ref: nestedId(shape.uid) }
        if (!format) throw new Error(`the format of ${shape.uid} has no shape`)
        return shape.kind === 'entry' ? format.one(one) : format.many(one, { type: 'object' })
      }
      case 'input':
        return this.#input(this.#app.types.get(shape.uid), shape.required)
      default:
        throw new Error(`no JSON: ${shape.kind}`)
    }
  }

  #formatOf(uid: string): FormatOutline {
    const { app, formats, types } = this.#app
    const name = types.get(uid).options.format ?? app.api.rest.format
    return formats.find(format => format.name === name) as FormatOutline
  }

  #entry(type: ContentType, style: Style): object {
    const fields = [...type.fields.values()]
      .filter(({ readable }) => readable)
      .map(field => [field.name, orNull(shapeOfField(field).read)] as const)
    const links = [...type.links.values()]
      .filter(({ readable }) => readable)
      .map(link => [link.name, this.#link(link, style)] as const)
    const attributes = Object.fromEntries([...fields, ...links])
    if (style === 'plain')
      return { type: 'object', properties: { id: { type: 'integer' }, ...attributes }, required: ['id'] }
    return {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        attributes: { type: 'object', properties: attributes, additionalProperties: false },
        meta: { type: 'object' },
      },
      required: ['id', 'attributes'],
      additionalProperties: false,
    }
  }

  #link({ many, shape, targets }: Link, style: Style): JsonSchema {
    if (targets === undefined || shape === 'zone') return {}
    const [uid = ''] = targets
    const one = style === 'plain' || shape === 'inline' ? {} : { $ref: nestedId(uid) }
    const value = many ? orNull({ type: 'array', items: one }) : orNull(one)
    return style === 'nested' && shape === 'data'
      ? { type: 'object', properties: { data: value }, required: ['data'] }
      : value
  }

  #input(type: ContentType, required: boolean): JsonSchema {
    const fields = [...type.fields.values()].filter(({ writable }) => writable)
    const needed = fields.filter(({ attribute }) => attribute.required && attribute.default === undefined)
    const data = {
      type: 'object',
      properties: Object.fromEntries(fields.map(field => [field.name, orNull(shapeOfField(field).write)])),
      ...(required && { required: needed.map(({ name }) => name) }),
    }
    return { type: 'object', properties: { data }, required: ['data'] }
  }
}

const nestedId = (uid: string): string => `stele:nested/${uid}`
