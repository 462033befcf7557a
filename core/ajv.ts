import { Ajv, type Options } from 'ajv'

/**
 * A compiler of schemas that belong to the program. They are compiled at every start and used once or twice, so what
 * counts is how long that takes: no check of the schema by the schema of schemas, which is compiled first and takes most
 * of the time (keywords check their values all the same), and no optimising of what runs once.
 */
export function compiler(options: Options): Ajv {
  return new Ajv({ meta: false, validateSchema: false, code: { optimize: false }, ...options })
}
