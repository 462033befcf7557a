import { canOf } from '../packages/utils/access.js'
import { ValidationError } from '../packages/utils/errors.js'
import { parseMultipartData } from '../packages/utils/multipart.js'
import { cleanInput } from '../packages/utils/sanitize-input.js'
import { OutputSanitizer } from '../packages/utils/sanitize-output.js'
import { cleanQuery } from '../packages/utils/sanitize-query.js'
import { checkInput, checkQuery } from '../packages/utils/validate-query.js'
import type { Bag, CodeType, Fn, Loose, Strapi } from '../types.js'
import type { EngineWay } from './engine-way.js'
import { transformResponse } from './transform-response.js'

/** The functions that every core controller has. */
export type CoreController = Record<string, Fn>

/** The parts of an app that a core controller works with. */
export interface ControllerParts {
  readonly strapi: Strapi
  readonly engine: EngineWay
}

/** The controller of a type: its prototype has what cleans and shapes, itself the standard actions. */
export function coreController({ strapi, engine }: ControllerParts, type: CodeType): CoreController {
  const base = cleaning(strapi, type)
  const actions = type.kind === 'singleType' ? ofSingle(strapi, type) : ofMany(strapi, type)
  const controller: CoreController = Object.create(base)
  for (const [action, run] of Object.entries(actions))
    controller[action] = function standard(this: Loose, ctx: Loose): Promise<Loose> {
      const self = this ?? controller
      return engine.serves(type, action, { controller: self, core: controller, ctx })
        ? engine.run(type, action, ctx)
        : run.call(self, ctx)
    }
  return controller
}

function cleaning(strapi: Strapi, type: CodeType): CoreController {
  const getModel = (uid: string) => strapi.getModel(uid)
  /** The caller's access; without a context nothing is permitted. */
  const access = (ctx: Loose) => ({ getModel, can: canOf(ctx?.state?.auth) })
  return {
    transformResponse: (data, meta) => transformResponse(data, meta, type, getModel),
    sanitizeOutput: async (data, ctx) => new OutputSanitizer(access(ctx)).clean(data, type),
    sanitizeInput: async (data, ctx) => cleanInput(data, type, access(ctx)),
    sanitizeQuery: async ctx => cleanQuery(ctx.query, type, access(ctx)),
    validateQuery: async ctx => checkQuery(ctx.query, type, access(ctx)),
    validateInput: async (data, ctx) => checkInput(data, type, access(ctx)),
  }
}

/** The entry and the files of a body. */
function sent(ctx: Loose): { readonly data: Loose; readonly files?: Bag } {
  const { data, files } = ctx.is('multipart') ? parseMultipartData(ctx) : { data: ctx.request.body?.data, files: {} }
  if (typeof data !== 'object' || data === null) throw new ValidationError('Missing "data" payload in the request body')
  if (Array.isArray(data)) throw noEntry(data)
  return { data, ...(Object.keys(files).length > 0 && { files }) }
}

/** The complaint about a list in place of an entry. */
function noEntry(data: readonly unknown[]): ValidationError {
  const message = `this must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${JSON.stringify(data, null, 2)}\`).`
  return new ValidationError(message, { errors: [{ path: [], message, name: 'ValidationError' }] })
}

const states: readonly unknown[] = [undefined, 'live', 'preview']

/** The query of a request, checked, and without what its caller may not ask. */
async function asked(self: Loose, ctx: Loose): Promise<Bag> {
  await self.validateQuery(ctx)
  if (!states.includes(ctx.query.publicationState)) throw new ValidationError('Invalid parameter publicationState')
  return self.sanitizeQuery(ctx)
}

const shown = async (self: Loose, ctx: Loose, entry: Loose, meta?: Bag): Promise<Loose> =>
  self.transformResponse(await self.sanitizeOutput(entry, ctx), meta)

function ofMany(strapi: Strapi, { uid }: CodeType): Record<string, Fn> {
  const service = () => strapi.service(uid)
  return {
    async find(this: Loose, ctx: Loose) {
      const { results, pagination } = await service().find(await asked(this, ctx))
      return shown(this, ctx, results, { pagination })
    },
    async findOne(this: Loose, ctx: Loose) {
      return shown(this, ctx, await service().findOne(ctx.params.id, await asked(this, ctx)))
    },
    async create(this: Loose, ctx: Loose) {
      const query = await asked(this, ctx)
      const { data, files } = sent(ctx)
      const input = await this.sanitizeInput(data, ctx)
      return shown(this, ctx, await service().create({ ...query, data: input, ...(files && { files }) }))
    },
    async update(this: Loose, ctx: Loose) {
      const query = await asked(this, ctx)
      const { data, files } = sent(ctx)
      const input = await this.sanitizeInput(data, ctx)
      return shown(this, ctx, await service().update(ctx.params.id, { ...query, data: input, ...(files && { files }) }))
    },
    async delete(this: Loose, ctx: Loose) {
      return shown(this, ctx, await service().delete(ctx.params.id, await asked(this, ctx)))
    },
  }
}

function ofSingle(strapi: Strapi, { uid }: CodeType): Record<string, Fn> {
  const service = () => strapi.service(uid)
  return {
    async find(this: Loose, ctx: Loose) {
      return shown(this, ctx, await service().find(await asked(this, ctx)))
    },
    async update(this: Loose, ctx: Loose) {
      const query = await asked(this, ctx)
      const { data, files } = sent(ctx)
      const input = await this.sanitizeInput(data, ctx)
      return shown(this, ctx, await service().createOrUpdate({ ...query, data: input, ...(files && { files }) }))
    },
    async delete(this: Loose, ctx: Loose) {
      return shown(this, ctx, await service().delete(await asked(this, ctx)))
    },
  }
}
