import type { Bag, Loose } from '../../types.js'
import { type Access, accessOf } from './access.js'
import type { Model } from './content-types.js'
import { cleanInput } from './sanitize-input.js'
import { OutputSanitizer } from './sanitize-output.js'
import { cleanFields, cleanFilters, cleanPopulate, cleanQuery, cleanSort } from './sanitize-query.js'
import { checkFields, checkFilters, checkInput, checkQuery, checkSort } from './validate-query.js'

type GetModel = Access['getModel']

/** Sanitizers and checks as `@strapi/utils` has them: of data, with a type, for the caller in `{ auth }`. */
export function contentApi(getModel: GetModel) {
  const access = (options: Bag | undefined) => accessOf(options, getModel)
  const typed = (model: Model | undefined): Model => {
    if (!model?.attributes) throw new Error('Missing schema in sanitizeOutput')
    return model
  }
  const cleaning =
    (clean: (value: Loose, model: Model, access: Access) => Loose) =>
    async (value: Loose, model: Model | undefined, options?: Bag): Promise<Loose> =>
      model?.attributes ? clean(value, model, access(options)) : value
  const checking =
    (check: (value: Loose, model: Model, access: Access) => void) =>
    async (value: Loose, model: Model | undefined, options?: Bag): Promise<void> => {
      if (model?.attributes) check(value, model, access(options))
    }
  return {
    sanitize: {
      contentAPI: {
        output: async (data: Loose, model: Model | undefined, options?: Bag): Promise<Loose> =>
          new OutputSanitizer(access(options)).clean(data, typed(model)),
        input: cleaning(cleanInput),
        query: cleaning(cleanQuery),
        filters: cleaning(cleanFilters),
        sort: cleaning(cleanSort),
        fields: cleaning((value, model) => cleanFields(value, model)),
        populate: cleaning(cleanPopulate),
      },
    },
    validate: {
      contentAPI: {
        input: checking(checkInput),
        query: checking(checkQuery),
        filters: checking(checkFilters),
        sort: checking(checkSort),
        fields: checking(checkFields),
      },
    },
  }
}
