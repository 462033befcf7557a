import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql'
import { UploadedFile } from '../http/multipart.js'
import { parseDate, parseDateTime, parseLong, parseTime, showDateTime, showLong, showTime } from './values.js'

/** A scalar whose literals are texts. */
function ofText(name: string, about: About): GraphQLScalarType {
  const { description, parse, show } = about
  const read = (value: unknown, node?: ValueNode) => {
    const parsed = parse(value)
    if (parsed !== undefined) return parsed
    const nodes = node && { nodes: [node] }
    throw new GraphQLError(`${name} cannot be ${JSON.stringify(value)}; expected ${about.expects}`, nodes)
  }
  return new GraphQLScalarType({
    name,
    description,
    serialize: show,
    parseValue: value => read(value),
    parseLiteral: node => read(plainOf(node), node),
  })
}

interface About {
  readonly description: string
  /** Completes the sentence "... expected". */
  readonly expects: string
  /** The value as REST takes it; undefined for none. */
  readonly parse: (value: unknown) => unknown
  readonly show: (value: unknown) => unknown
}

/** A literal as a variable would have it; digits stay text, as there may be more of them than a number holds. */
function plainOf(node: ValueNode): unknown {
  if (node.kind === Kind.INT) return /^-?\d{1,15}$/.test(node.value) ? Number(node.value) : node.value
  return valueFromASTUntyped(node)
}

export const dateTime = ofText('DateTime', {
  description:
    'A date-time string at UTC, such as 2007-12-03T10:15:30Z, compliant with the `date-time` format outlined in section 5.6 of the RFC 3339 profile of the ISO 8601 standard for representation of dates and times using the Gregorian calendar.',
  expects: 'a date and a time with its zone, such as "2024-02-03T10:00:00Z" or "2024-02-03T10:00:00+02:00"',
  parse: parseDateTime,
  show: showDateTime,
})

export const date = ofText('Date', {
  description:
    'A date string, such as 2007-12-03, compliant with the `full-date` format outlined in section 5.6 of the RFC 3339 profile of the ISO 8601 standard for representation of dates and times using the Gregorian calendar.',
  expects: 'a day that exists, such as "2024-02-03"',
  parse: parseDate,
  show: value => value,
})

export const time = ofText('Time', {
  description: 'A time string with format HH:mm:ss.SSS',
  expects: 'a time such as "10:15:30" or "10:15:30.250"',
  parse: parseTime,
  show: showTime,
})

export const long = ofText('Long', {
  description: 'The `BigInt` scalar type represents non-fractional signed whole numeric values.',
  expects: 'an integer, or a text of its digits',
  parse: parseLong,
  show: showLong,
})

/** Any value, as a literal too; variables may stand in it. */
export const json = new GraphQLScalarType({
  name: 'JSON',
  description:
    'The `JSON` scalar type represents JSON values as specified by [ECMA-404](http://www.ecma-international.org/publications/files/ECMA-ST/ECMA-404.pdf).',
  parseValue: value => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
})

export const upload = new GraphQLScalarType({
  name: 'Upload',
  description: 'The `Upload` scalar type represents a file upload.',
  serialize: () => {
    throw new GraphQLError('Upload is a type of variables; it is not answered')
  },
  parseValue: value => {
    if (value instanceof UploadedFile) return value
    throw new GraphQLError(
      'Upload takes a file of a multipart request: name the variable in its part "map", and send the file as a part',
    )
  },
  parseLiteral: node => {
    throw new GraphQLError('Upload has no literals: use a variable, which a multipart request fills', { nodes: [node] })
  },
})

/** Codes of locales. A literal is one that exists; the app may not have the one in a variable, and then it finds nothing. */
export const localeCode = (locales: { has(code: string): boolean } | undefined): GraphQLScalarType =>
  new GraphQLScalarType({
    name: 'I18NLocaleCode',
    description: 'A string used to identify an i18n locale',
    parseValue: value => {
      if (typeof value === 'string') return value
      throw new GraphQLError(
        `I18NLocaleCode cannot be ${JSON.stringify(value)}; expected a text such as "en", or "all"`,
      )
    },
    parseLiteral: node => {
      const code = node.kind === Kind.STRING ? node.value : undefined
      if (code !== undefined && (code === 'all' || locales?.has(code) || isLanguage(code))) return code
      throw new GraphQLError(
        'Unknown locale supplied; expected the code of a locale, such as "en" or "pt-BR", or "all"',
        {
          nodes: [node],
        },
      )
    },
  })

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

function isLanguage(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code)[0] === code && languages.of(code) !== undefined
  } catch {
    return false
  }
}
