import { isRecord, type Values } from '../form/plain.js'

/** True for blocks, whatever field they come from. */
export const areBlocks = (value: unknown): value is readonly Values[] =>
  Array.isArray(value) && value.length > 0 && value.every(isBlock)

const isBlock = (value: unknown): boolean =>
  isRecord(value) && typeof value.type === 'string' && (Array.isArray(value.children) || isRecord(value.image))

/** Blocks as a text in which all that may differ is seen: kinds, marks and addresses, in the signs of Markdown. */
export const blocksText = (blocks: readonly Values[]): string => blocks.map(block => textOf(block)).join('\n')

function textOf(block: Values): string {
  const { type, level, image } = block
  if (type === 'paragraph') return inline(block)
  if (type === 'heading') return `${'#'.repeat(Number(level))} ${inline(block)}`
  if (type === 'quote') return `> ${inline(block)}`
  if (type === 'code') return `\`\`\`\n${inline(block)}\n\`\`\``
  if (type === 'list') return listText(block, '')
  if (type === 'image' && isRecord(image)) return `![${image.alternativeText ?? image.name ?? ''}](${image.url ?? ''})`
  return JSON.stringify(block)
}

/** A list with the lists in it, each one step further in. */
function listText({ format, children }: Values, indent: string): string {
  let number = 0
  return childrenOf(children)
    .map(item => {
      if (item.type === 'list') return listText(item, `${indent}  `)
      number += 1
      return `${indent}${format === 'ordered' ? `${number}.` : '-'} ${inline(item)}`
    })
    .join('\n')
}

const inline = ({ children }: Pick<Values, string>): string => childrenOf(children).map(runText).join('')

function runText(run: Values): string {
  if (run.type === 'link') return `[${inline(run)}](${run.url ?? ''})`
  if (typeof run.text !== 'string') return JSON.stringify(run)
  const marked = marks.filter(([name]) => run[name] === true)
  return marked.reduce((text, [, before, after]) => `${before}${text}${after}`, run.text)
}

const marks = [
  ['code', '`', '`'],
  ['bold', '**', '**'],
  ['italic', '_', '_'],
  ['underline', '<u>', '</u>'],
  ['strikethrough', '~~', '~~'],
] as const

const childrenOf = (children: unknown): readonly Values[] => (Array.isArray(children) ? children.filter(isRecord) : [])
