import type { MarkedToken, Token, Tokens } from 'marked'
import { type ComponentChildren, h } from 'preact'
import { linkAddress, pictureAddress } from '../../model/markdown/addresses.js'
import { withoutReferences } from '../../model/markdown/references.js'

/** The page that a text is shown in, and the origins of pictures that it may show beside its own. */
export interface Shown {
  readonly page: string
  readonly pictures: readonly string[]
}

/** Parts of a Markdown text as elements: no part of it is read as HTML. */
export const rendered = (tokens: readonly Token[], shown: Shown): ComponentChildren =>
  tokens.map(token => elementOf(token as MarkedToken, shown))

/** The elements that hold other parts and nothing else. */
const holders: Readonly<Record<string, string>> = {
  ...{ paragraph: 'p', blockquote: 'blockquote', strong: 'strong', em: 'em', del: 'del', list_item: 'li' },
}

function elementOf(token: MarkedToken, shown: Shown): ComponentChildren {
  switch (token.type) {
    case 'hr':
    case 'br':
      return h(token.type, null)
    case 'heading':
      // The title of the entry stands above.
      return h(`h${Math.min(token.depth + 1, 6)}`, { class: `level-${token.depth}` }, rendered(token.tokens, shown))
    case 'code':
      return h('pre', null, h('code', null, token.text))
    case 'codespan':
      return h('code', null, token.text)
    case 'list':
      return listOf(token, shown)
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'table':
      return tableOf(token, shown)
    case 'link':
      return linkOf(token, shown)
    case 'image':
      return pictureOf(token, shown)
    case 'html':
      return htmlOf(token)
    case 'escape':
      return token.text
    case 'text':
      return token.tokens ? rendered(token.tokens, shown) : withoutReferences(token.text)
    default: {
      const holder = holders[token.type]
      return holder !== undefined && 'tokens' in token ? h(holder, null, rendered(token.tokens ?? [], shown)) : null
    }
  }
}

/** The source of HTML is shown, for where the text is published decides what becomes of it. */
function htmlOf({ text }: Tokens.HTML | Tokens.Tag): ComponentChildren {
  if (/^<br\s*\/?>$/i.test(text.trim())) return h('br', null)
  return /^\s*<!--[\s\S]*-->\s*$/.test(text) ? null : h('code', { class: 'quiet' }, text)
}

const listOf = ({ ordered, start, items }: Tokens.List, shown: Shown): ComponentChildren =>
  h(ordered ? 'ol' : 'ul', ordered && start !== 1 ? { start: Number(start) } : null, rendered(items, shown))

function tableOf({ header, rows }: Tokens.Table, shown: Shown): ComponentChildren {
  const cells = (row: readonly Tokens.TableCell[]) =>
    row.map(({ align, header, tokens }) => {
      const side = align === null ? {} : { class: `align-${align}` }
      return h(header ? 'th' : 'td', { ...(header && { scope: 'col' }), ...side }, rendered(tokens, shown))
    })
  return h(
    'table',
    null,
    h('thead', null, h('tr', null, cells(header))),
    h(
      'tbody',
      null,
      rows.map(row => h('tr', null, cells(row))),
    ),
  )
}

function linkOf({ href, title, text, tokens, autolink }: Tokens.Link, shown: Shown): ComponentChildren {
  const address = linkAddress(autolink ? href : withoutReferences(href), shown.page)
  const content = autolink ? text : rendered(tokens, shown)
  if (address === undefined) return h('span', null, content)
  return h('a', { href: address, ...titled(title), target: '_blank', rel: 'noreferrer' }, content)
}

function pictureOf({ href, title, text }: Tokens.Image, shown: Shown): ComponentChildren {
  const address = pictureAddress(withoutReferences(href), shown.page, shown.pictures)
  const alt = withoutReferences(text)
  if (address === undefined) return h('span', { class: 'quiet' }, '▧ ', alt === '' ? href : alt)
  return h('img', { src: address, alt, ...titled(title), loading: 'lazy' })
}

const titled = (title: string | null | undefined) => (title ? { title: withoutReferences(title) } : {})
