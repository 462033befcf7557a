import { Ajv, type AnySchema, type ValidateFunction } from 'ajv'

/**
 * A start compiles the schemas of settings and of schema files, and a process of tests starts hundreds of apps that say the
 * same in them: it compiles each schema once.
 */
const compiled = new Map<string, ValidateFunction>()
const { compile } = Ajv.prototype

Ajv.prototype.compile = function compileOnce(this: Ajv, schema: AnySchema): ValidateFunction {
  const { allErrors, verbose, useDefaults, coerceTypes, strict, strictTypes, validateSchema } = this.opts
  const options = [allErrors, verbose, useDefaults, coerceTypes, strict, strictTypes, validateSchema]
  const key = JSON.stringify([options, schema])
  const known = compiled.get(key) ?? compile.call(this, schema)
  compiled.set(key, known)
  return known
} as typeof compile
