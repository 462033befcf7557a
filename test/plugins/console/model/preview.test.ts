import { strict as assert } from 'node:assert'
import { Marked } from 'marked'
import { isValidElement, type VNode } from 'preact'
import { describe, it } from 'vitest'
import { linkAddress, pictureAddress } from '../../../../plugins/console/model/markdown/addresses.js'
import { filesAsMarkdown } from '../../../../plugins/console/model/markdown/files.js'
import { continued } from '../../../../plugins/console/model/markdown/lists.js'
import { withoutReferences } from '../../../../plugins/console/model/markdown/references.js'
import { rendered } from '../../../../plugins/console/page/markdown/rendered.js'
import { tokensOf } from '../../../../plugins/console/page/markdown/tokens.js'

const page = 'https://cms.example.com/console/c/article/1'
const pictures = ['https://files.example.com']

/** The elements of a preview as HTML. */
function htmlOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(htmlOf).join('')
  if (node === null || node === undefined || typeof node === 'boolean') return ''
  if (!isValidElement(node)) return escaped(String(node))
  const { type, props } = node as VNode<Record<string, unknown>>
  if (typeof type === 'function') return htmlOf((type as (props: unknown) => unknown)(props))
  const { children, ...attributes } = props
  const said = Object.entries(attributes).filter(([, value]) => value !== undefined)
  const open = [type, ...said.map(([name, value]) => `${name}="${escaped(String(value))}"`)].join(' ')
  return ['br', 'hr', 'img'].includes(String(type)) ? `<${open}>` : `<${open}>${htmlOf(children)}</${type}>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const previewOf = (text: string): string => htmlOf(rendered(tokensOf(text), { page, pictures }))

/** The same by the parser's own writer of HTML, as far as both mean the same elements. */
const usual = (text: string): string =>
  String(new Marked({ gfm: true }).parse(text))
    .replaceAll(/(<(?:br|\/p|\/h\d|\/pre|hr|\/?[uo]l|\/?li|\/?blockquote)>)\n+/g, '$1')
    .replaceAll(/\n+(<\/?(?:ul|ol|li|table|thead|tbody|tr|blockquote))/g, '$1')

describe('the preview of Markdown', () => {
  const documents = {
    'paragraphs and marks':
      'One *two* **three** `four` ~~five~~\nsix  \nseven\n\neight \\*nine\\* <https://a.example/?x=1&y=2>',
    'lists in lists': '- a\n- b\n  1. c\n  2. d\n\n     e\n- f',
    'a list that begins elsewhere': '7. a\n8. b',
    quotes: '> a\n> > b\n\nc',
    'code and rules': '    a < b\n\n```\n<script>\n```\n\n***',
    'references of links': '[a][one] and [one]\n\n[one]: https://a.example "Title"',
    'entities as text': 'a & b &lt; c < d "e"',
  }
  const same = (html: string) =>
    html
      .replaceAll(/ (?:target|rel|class|loading)="[^"]*"/g, '')
      .replaceAll(/<(\/?)h(\d)/g, (_, end, level) => `<${end}h${level}`)
      .replaceAll('&#39;', "'")
      .replaceAll(/\n<\/code>/g, '</code>')
      .trim()
  for (const [name, text] of Object.entries(documents))
    it(`shows ${name} as the parser's own HTML does`, () => assert.equal(same(previewOf(text)), same(usual(text))))

  const cases: Readonly<Record<string, readonly [string, string]>> = {
    'headings below those of the page': ['# A\n\n#### D', '<h2 class="level-1">A</h2><h5 class="level-4">D</h5>'],
    'tables with their sides': [
      '| a | b |\n|---|--:|\n| 1 | **2** |',
      '<table><thead><tr><th scope="col">a</th><th scope="col" class="align-right">b</th></tr></thead>' +
        '<tbody><tr><td>1</td><td class="align-right"><strong>2</strong></td></tr></tbody></table>',
    ],
    tasks: ['- [x] done\n- [ ] open', '<ul><li>☑ done</li><li>☐ open</li></ul>'],
    'footnotes as text': ['a[^1]\n\n[^1]: note', '<p>a[^1]</p><p>[^1]: note</p>'],
    'HTML as its source': ['a <b onclick="x()">b</b>', null as never],
    'named signs': ['&copy; 2026 &mdash; &#x2713; &unknown;', '<p>© 2026 — ✓ &amp;unknown;</p>'],
    'pictures of this server': ['![A b](/uploads/a.png)', '<p><img src="/uploads/a.png" alt="A b" loading="lazy"></p>'],
    'pictures of other servers by their texts': [
      '![A b](https://x.example/a.png)',
      '<p><span class="quiet">▧ A b</span></p>',
    ],
    'no link to a script': [
      '[a](javascript:alert(1)) [b](<java\tscript:alert(1)>)',
      '<p><span>a</span> <span>b</span></p>',
    ],
  }
  for (const [name, [text, html]] of Object.entries(cases))
    it(`shows ${name}`, () => {
      if (html !== null) return assert.equal(previewOf(text), html)
      assert.doesNotMatch(previewOf(text), /<b|onclick="x/)
      assert.match(previewOf(text), /&lt;b onclick=&quot;x\(\)&quot;&gt;/)
    })

  it('opens links to the web, to mail and to this server, and nothing else', () => {
    for (const href of [
      'https://a.example',
      'http://a.example',
      'mailto:a@a.example',
      '/a',
      'a.html',
      '#a',
      '?b',
      '//a.example',
    ])
      assert.equal(linkAddress(href, page), href)
    for (const href of [
      'javascript:1',
      ' JavaScript:1',
      'data:text/html,a',
      'vbscript:1',
      'blob:https://a.example/1',
      'file:///a',
      'https://%',
    ])
      assert.equal(linkAddress(href, page), undefined, href)
  })

  it('loads pictures from where the policy of the page permits it', () => {
    for (const href of ['/a.png', 'a.png', 'https://cms.example.com/a.png', 'https://files.example.com/a.png'])
      assert.equal(pictureAddress(href, page, pictures), href)
    for (const href of [
      'https://b.example/a.png',
      '//b.example/a.png',
      'data:image/png;base64,',
      'http://cms.example.com/a.png',
    ])
      assert.equal(pictureAddress(href, page, pictures), undefined, href)
  })

  it('reads character references as signs, and leaves what is none', () => {
    const text = '&amp;&quot;&nbsp;&yuml;&Agrave;&euro;&#65;&#x42;&#0;&#xD800;&amp &;&#;'
    assert.equal(withoutReferences(text), '&"\u00a0ÿÀ€AB\ufffd\ufffd&amp &;&#;')
  })
})

describe('a line of Markdown that is ended', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['- a|', '- a\n- |'],
    ['  * a| b', '  * a\n  * | b'],
    ['9. a|', '9. a\n10. |'],
    ['1) a|', '1) a\n2) |'],
    ['- [x] a|', '- [x] a\n- [ ] |'],
    ['> a|', '> a\n> |'],
    ['x\n- |\ny', 'x\n|\ny'],
    ['3. |', '|'],
    ['plain|', undefined],
    ['-a|', undefined],
    ['|- a', undefined],
  ]
  for (const [text, wanted] of cases)
    it(`${wanted === undefined ? 'is left' : 'goes on'}: ${JSON.stringify(text)}`, () => {
      const at = text.indexOf('|')
      const plain = text.replace('|', '')
      const edit = continued(plain, at)
      if (!edit) return assert.equal(wanted, undefined)
      const after = plain.slice(0, edit.from) + edit.text + plain.slice(edit.to)
      assert.equal(`${after.slice(0, edit.select[0])}|${after.slice(edit.select[1])}`, wanted)
    })
})

describe('files in Markdown', () => {
  it('are pictures, or links to them', () => {
    const files = [
      { name: 'a [b].png', url: '/uploads/a (1).png', mime: 'image/png', alternativeText: null },
      { name: 'b.png', url: '/uploads/b.png', mime: 'image/png', alternativeText: 'A boat' },
      { name: 'c.pdf', url: '/uploads/c.pdf', mime: 'application/pdf', alternativeText: 'no picture' },
    ]
    assert.equal(
      filesAsMarkdown(files),
      '![a \\[b\\].png](/uploads/a%20%281%29.png)\n![A boat](/uploads/b.png)\n[c.pdf](/uploads/c.pdf)',
    )
  })
})
