import { InvalidParameter } from '../../errors.js'
import { print } from '../../kit/print.js'
import type { Field } from '../../schema/types.js'
import { asList, type Raw } from '../raw.js'
import type { QueryNode } from '../tree.js'
import type { NodeParam, QueryPlace } from '../visitor.js'
import { Highlighter } from './highlight.js'
import { readSearchTerms } from './terms.js'

export const highlight: NodeParam = {
  nested: false,
  describe:
    'the searched fields in which meta.search.highlights marks what _q finds: highlight=* or highlight[0]=<field>',
  shape: readHighlight,
}

/** `highlight=*`, `highlight=title` or `highlight[0]=title`: the fields of the index whose words are marked. */
function readHighlight(node: QueryNode, raw: unknown, { type, path, visitor }: QueryPlace): QueryNode {
  const { search } = type
  if (!search) {
    if (!visitor.ask.dialect.strictParams) return node
    throw new InvalidParameter(path, `marks words of a search index, and ${type.uid} has none`)
  }
  const searched = search.fields.flatMap(({ name }) => {
    const field = type.fields.get(name)
    return field?.readable ? [field] : []
  })
  const fields = new Set<Field>()
  for (const [index, name] of (asList(raw) ?? [raw]).entries()) {
    const found = name === '*' ? searched : searched.filter(field => field.name === name)
    if (found.length === 0 && name !== '*')
      throw new InvalidParameter(
        Array.isArray(raw) ? [...path, String(index)] : path,
        `takes * or some of ${searched.map(field => field.name).join(', ')}: highlight[0]=<field>; not ${print(name)}`,
      )
    for (const field of found) fields.add(field)
  }
  return { ...node, marks: { fields: [...fields], unshown: [], highlighter: new Highlighter([]) } }
}

/** The node with the texts whose words are marked, once it is known which those are. */
export function withMarks(node: QueryNode, { _q }: Raw, isIndexed: boolean): QueryNode {
  const fields = node.marks?.fields ?? []
  if (typeof _q !== 'string' || _q === '')
    throw new InvalidParameter(['highlight'], 'marks the words that _q finds; send _q')
  const added = fields.filter(field => !node.fields.includes(field))
  const terms = readSearchTerms(_q, ['_q'])
  // A search without an index finds parts of words as well.
  const marked = isIndexed ? terms : terms.map(term => ({ ...term, isPrefix: term.words.length === 1 }))
  const marks = { fields, unshown: added.map(({ name }) => name), highlighter: new Highlighter(marked) }
  return { ...node, fields: [...node.fields, ...added], marks }
}
