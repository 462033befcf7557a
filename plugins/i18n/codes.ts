import { ValidationError } from '../../core/index.js'

/** Words that mean something else where a locale may stand. */
const taken = ['all', 'true', 'false']

/** Reads a code that may name a locale, or throws the error in it. */
export function readCode(code: unknown): string {
  const right = typeof code === 'string' && !taken.includes(code) ? canonical(code) : undefined
  if (right === undefined) {
    const said = code === undefined ? 'is missing' : `${JSON.stringify(code).slice(0, 50)} names no language`
    throw wrong('code', `code ${said}; it is written like en, pt-BR or zh-Hans`)
  }
  if (right !== code) throw wrong('code', `code ${JSON.stringify(code)} is written ${right}`)
  return right
}

/** An error about a part of the body. */
export function wrong(name: string, message: string): ValidationError {
  return ValidationError.of([{ path: [name], message, name: 'ValidationError' }])
}

function canonical(code: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(code)[0]
  } catch {
    return undefined
  }
}

/** `French (France) (fr-FR)`: the name that people see, as Strapi 4 writes it. */
export function nameOf(code: string): string {
  const names = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })
  return `${names.of(code)} (${code})`
}
