import { strict as assert } from 'node:assert'
import { describe, it, vi } from 'vitest'
import { noBrowser } from '../../../../support/browser.js'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { looks } from '../../../../support/pages/served.js'
import { assertFits } from '../../../../support/pages/watched-page.js'
import { Dice } from '../../../explorer/random.js'
import { item, link, list, paragraph, text } from '../../model/blocks/documents.js'
import { change, hide, isSaved } from '../form.js'
import { signIn } from '../served.js'
import { body, openStory, paste, saved, servedStories, storedBody } from './stories.js'
import { keys, TypedLines } from './typed-lines.js'

const h2 = (words: string) => ({ type: 'heading', level: 2, children: [text(words)] })

describe.skipIf(noBrowser)('blocks in the console', { timeout: 180_000 }, () => {
  const served = servedStories()

  it('are written with keys alone: kinds, marks, lists, and a link', () =>
    served.signedIn(
      'ada',
      async page => {
        const id = await openStory(page, null)
        await body(page).focus()
        const { keyboard } = page
        await keyboard.type('Bread')
        await keyboard.press('Shift+Tab')
        await keyboard.press('ArrowRight')
        await keyboard.press('Home')
        await page.getByRole('combobox', { name: 'Block', exact: true }).selectOption({ label: 'Heading 2' })
        await keyboard.press('Escape')
        await keyboard.press('End')
        await keyboard.press('Enter')
        await keyboard.type('Some ')
        await keyboard.press('Control+b')
        await keyboard.type('bold')
        await keyboard.press('Control+b')
        await keyboard.type(' words')
        await keyboard.press('Enter')
        await page.getByRole('combobox', { name: 'Block', exact: true }).selectOption({ label: 'List' })
        await body(page).focus()
        await keyboard.type('one')
        await keyboard.press('Enter')
        await keyboard.type('two')
        await keyboard.press('Tab')
        await keyboard.press('Enter')
        await keyboard.press('Enter')
        await keyboard.press('Enter')
        await keyboard.type('example')
        await keyboard.press('Shift+Home')
        await keyboard.press('Control+k')
        await page.getByRole('textbox', { name: 'Address' }).fill('example.com')
        await keyboard.press('Enter')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await body(page).press('Control+s')
        await isSaved(page)
        assert.deepEqual(await storedBody(page, id), [
          h2('Bread'),
          paragraph(text('Some '), text('bold', { bold: true }), text(' words')),
          list('unordered', item(text('one')), { ...list('unordered', item(text('two'))), indentLevel: 1 }),
          paragraph(link('https://example.com', text('example'))),
        ])
      },
      { path: '/console' },
    ))

  it('are drawn, and take what is typed, as soon as there is a place for them', () =>
    served.signedIn('ada', async page => {
      await page.addInitScript(`new MutationObserver((changes, observer) => {
        const place = document.querySelector('.blocks[contenteditable]')
        if (!place) return
        observer.disconnect()
        window.blocksAtFirst = place.textContent
      }).observe(document, { childList: true, subtree: true })`)
      await openStory(page, [paragraph(text('There at once'))])
      assert.equal(await page.evaluate('window.blocksAtFirst'), 'There at once')
    }))

  it('take text from other programs with its structure, and nothing that runs', () =>
    served.signedIn('ada', async page => {
      const id = await openStory(page, null)
      await body(page).focus()
      await paste(page, {
        'text/html': `<meta charset="utf-8"><style>p { color: red }</style><b style="font-weight:normal" id="docs-internal-guid-1">
          <h2 style="color:red" onclick="alert(1)">Head</h2><p><span style="font-weight:700">bold</span> and
          <a href="https://example.com"><span style="text-decoration:underline">a link</span></a>
          <a href="javascript:alert(1)">none</a><script>alert(1)</script><img src="https://example.com/x.png" onerror="alert(1)"></p>
          <ul><li><p>one</p><ul><li>two</li></ul></li></ul><pre>let a\n  let b</pre></b>`,
        'text/plain': 'not this',
      })
      assert.deepEqual(await saved(page, id), [
        h2('Head'),
        paragraph(
          ...[text('bold', { bold: true }), text(' and ')],
          ...[link('https://example.com', text('a link')), text(' none')],
        ),
        list('unordered', item(text('one')), { ...list('unordered', item(text('two'))), indentLevel: 1 }),
        { type: 'code', children: [text('let a\n  let b')] },
      ])
      await page.keyboard.press('Control+a')
      const item1 = (level: number, words: string, sign: string) =>
        `<p class=MsoListParagraph style='margin-left:.5in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span
          style='mso-list:Ignore'>${sign}<span>&nbsp;&nbsp;</span></span><![endif]>${words}<o:p></o:p></p>`
      await paste(page, {
        'text/html': `<html><body><!--StartFragment--><p class=MsoNormal>Of <i style='mso-bidi-font-style:normal'>Word</i><o:p></o:p></p>
          ${item1(1, 'one', '1.')}${item1(2, 'inner', 'a.')}${item1(1, 'two', '2.')}<!--EndFragment--></body></html>`,
      })
      assert.deepEqual(await saved(page, id), [
        paragraph(text('Of '), text('Word', { italic: true })),
        list(
          ...(['ordered', item(text('one'))] as const),
          ...[{ ...list('ordered', item(text('inner'))), indentLevel: 1 }, item(text('two'))],
        ),
      ])
      await page.keyboard.press('Control+a')
      await paste(page, { 'text/plain': 'one\r\ntwo' })
      assert.deepEqual(await saved(page, id), [paragraph(text('one')), paragraph(text('two'))])
    }))

  it('are cut and pasted as they are, with what is not known here', () =>
    served.signedIn('ada', async page => {
      const odd = [
        { ...paragraph(text('red', { colour: 'red' }), { type: 'mention', id: 1 }), align: 'end' },
        { type: 'embed', url: 'https://example.com', children: [text('')] },
        paragraph(text('end')),
      ]
      const id = await openStory(page, odd)
      await body(page).getByText('Unknown block: embed').waitFor()
      await body(page).getByText('Unknown part: mention').waitFor()
      await body(page).press('Control+a')
      await page.keyboard.press('Control+x')
      assert.equal(await body(page).textContent(), '')
      await page.keyboard.press('Control+v')
      await page.keyboard.type('!')
      assert.deepEqual(await saved(page, id), [...odd.slice(0, 2), paragraph(text('end!'))])
    }))

  it('take what input methods write, in the marks of the place', () =>
    served.signedIn('ada', async page => {
      const id = await openStory(page, [paragraph(text('one '), text('bold', { bold: true })), paragraph(text('two'))])
      const session = await page.context().newCDPSession(page)
      await body(page).press('Control+Home')
      await page.keyboard.press('End')
      const compose = (words: string) =>
        session.send('Input.imeSetComposition', {
          text: words,
          selectionStart: words.length,
          selectionEnd: words.length,
        })
      await compose('と')
      await compose('とう')
      await session.send('Input.insertText', { text: '東' })
      // Other keys may overtake what an input method writes.
      await body(page).getByText('bold東').waitFor()
      await page.keyboard.type('!')
      await body(page).getByText('bold東!').waitFor()
      assert.deepEqual(await saved(page, id), [
        paragraph(text('one '), text('bold東!', { bold: true })),
        paragraph(text('two')),
      ])
      // A selection across lines is replaced.
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Shift+ArrowDown')
      await compose('か')
      await session.send('Input.insertText', { text: '花' })
      await body(page).getByText('o花wo').waitFor()
      assert.deepEqual(await saved(page, id), [paragraph(text('o花wo'))])
      await page.keyboard.press('Control+z')
      await body(page).getByText('two').waitFor()
      assert.deepEqual(await saved(page, id), [
        paragraph(text('one '), text('bold東!', { bold: true })),
        paragraph(text('two')),
      ])
    }))

  it('are typed as into any text: random keys do what they do in a row of lines', () =>
    served.signedIn('ada', async page => {
      const id = await openStory(page, null)
      await body(page).focus()
      const model = new TypedLines()
      const dice = new Dice(3)
      for (let press = 0; press < 400; press += 1) {
        const key = dice.chance(0.5) ? dice.one([...'abc defghi']) : dice.one(keys)
        await page.keyboard.press(key === ' ' ? 'Space' : key)
        model.press(key)
        if (press % 20 !== 0) continue
        assert.deepEqual(await body(page).locator('p').allTextContents(), model.lines, `after ${press} keys`)
      }
      await page.keyboard.type('end')
      for (const letter of 'end') model.press(letter)
      assert.deepEqual(
        await saved(page, id),
        model.lines.map(words => paragraph(text(words))),
      )
    }))

  it('are saved with the last key, in whichever frame it is painted', () =>
    served.signedIn('ada', async page => {
      const id = await openStory(page, [paragraph(text('bread'))])
      await body(page).press('End')
      await page.evaluate(`{
        const options = { bubbles: true, cancelable: true }
        const one = document.activeElement
        one.dispatchEvent(new InputEvent('beforeinput', { ...options, inputType: 'insertText', data: '!' }))
        one.dispatchEvent(new KeyboardEvent('keydown', { ...options, key: 's', ctrlKey: true }))
      }`)
      await page.getByRole('status', { name: 'Messages' }).getByText('Saved').waitFor()
      await isSaved(page)
      assert.deepEqual(await storedBody(page, id), [paragraph(text('bread!'))])
    }))

  it('have images of the library, and move by keys', () =>
    served.signedIn('ada', async page => {
      const id = await openStory(page, [paragraph(text('one')), paragraph(text('two'))])
      await body(page).press('Control+Home')
      await page.getByRole('button', { name: 'Image', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Choose for body' })
      await dialog.getByRole('checkbox').first().check()
      await dialog.getByRole('button', { name: 'Take 1 file' }).click()
      await body(page).getByRole('img').waitFor()
      await dialog.waitFor({ state: 'detached' })
      const [, block] = (await saved(page, id)) as [unknown, { type: string; image: Record<string, unknown> }]
      assert.equal(block.type, 'image')
      assert.match(String(block.image.url), /^http:\/\/127.0.0.1:\d+\/uploads\//)
      assert.ok(block.image.hash && block.image.mime && block.image.provider)
      await page.keyboard.press('Alt+ArrowDown')
      assert.deepEqual(await saved(page, id), [paragraph(text('one')), paragraph(text('two')), block])
      await page.keyboard.press('Backspace')
      await body(page).getByRole('img').waitFor({ state: 'detached' })
      await page.keyboard.press('Control+z')
      await body(page).getByRole('img').waitFor()
    }))

  it('lose whole characters and words, have code with a language, and let the focus go', () =>
    served.signedIn('ada', async page => {
      const id = await openStory(page, [paragraph(text('one two 👩‍🚀'))])
      const { keyboard } = page
      await body(page).press('Control+End')
      await keyboard.press('Backspace')
      await body(page).getByText('one two ', { exact: true }).waitFor()
      await keyboard.press('Control+Backspace')
      await keyboard.press('Shift+Enter')
      await keyboard.type('x')
      assert.deepEqual(await saved(page, id), [paragraph(text('one \nx'))])
      await keyboard.press('Enter')
      await page.getByRole('combobox', { name: 'Block', exact: true }).selectOption({ label: 'Code' })
      await body(page).focus()
      await keyboard.type('a')
      await keyboard.press('Enter')
      await paste(page, { 'text/plain': 'b\n\n  c', 'text/html': '<b>b</b>' })
      const language = page.getByRole('textbox', { name: 'Language of the code' })
      await language.fill('sql')
      await language.press('Escape')
      const code = { type: 'code', language: 'sql', children: [text('a\nb\n\n  c')] }
      assert.deepEqual(await saved(page, id), [paragraph(text('one \nx')), code])
      await keyboard.press('Enter')
      await keyboard.press('Enter')
      await keyboard.press('Enter')
      await page.getByRole('combobox', { name: 'Block', exact: true }).selectOption({ label: 'Numbered list' })
      await body(page).focus()
      await keyboard.type('1')
      await keyboard.press('Enter')
      await keyboard.type('2')
      await keyboard.press('Escape')
      await keyboard.press('Tab')
      assert.equal(await body(page).evaluate('document.activeElement.className !== "blocks"'), true)
      assert.deepEqual(((await saved(page, id)) as unknown[]).at(-1), list('ordered', item(text('1')), item(text('2'))))
    }))

  it('are passed by arrows where they are no text, and written before and after', () =>
    served.signedIn('ada', async page => {
      const embed = { type: 'embed', children: [] }
      const id = await openStory(page, [embed, embed, paragraph(text('one'))])
      await body(page).press('Control+Home')
      await page.keyboard.type('first')
      for (let press = 0; press < 2; press += 1) await page.keyboard.press('ArrowRight')
      await page.keyboard.type('second')
      assert.deepEqual(await saved(page, id), [
        ...[paragraph(text('first')), embed, paragraph(text('second')), embed],
        paragraph(text('one')),
      ])
      for (const [key, at] of [
        ...[['ArrowRight', 3] as const, ['ArrowUp', 2] as const, ['ArrowUp', 1] as const, ['ArrowDown', 2] as const],
        ...[['ArrowDown', 3] as const],
      ]) {
        await page.keyboard.press(key)
        // The browser tells of a new selection after the key.
        await vi.waitFor(async () => {
          const isCurrent = await body(page).locator('[data-key]').nth(at).getAttribute('data-current')
          assert.equal(isCurrent, at === 2 ? null : '', `${key} to ${at}`)
        }, 10_000)
      }
      await page.keyboard.press('Delete')
      assert.equal(await body(page).getByText('Unknown block: embed').count(), 1)
    }))

  it('are merged, kept and brought back like other values, and shown as JSON', () =>
    served.signedIn('ada', async page => {
      const id = await openStory(page, [paragraph(text('base'))])
      await body(page).press('End')
      await page.keyboard.type(' mine')
      await hide(page, 1)
      await page.reload()
      await page.getByRole('button', { name: 'Restore' }).click()
      await body(page).getByText('base mine').waitFor()
      assert.equal(await change(page, `/stories/${id}`, { body: [paragraph(text('theirs'))] }), 200)
      await body(page).press('Control+s')
      const conflict = page.getByRole('dialog', { name: 'This entry was changed' })
      await conflict.getByRole('radio', { name: 'Theirs' }).check()
      await conflict.getByRole('button', { name: 'Save both' }).click()
      await body(page).getByText('theirs').waitFor()
      await isSaved(page)
      await page.getByRole('button', { name: 'Show as JSON: body' }).click()
      await body(page).fill('[{"type":"paragraph","children":[{"type":"text","text":"by hand"}]}]')
      await page.getByRole('button', { name: 'Show as text: body' }).click()
      await body(page).getByText('by hand').waitFor()
      assert.deepEqual(await saved(page, id), [paragraph(text('by hand'))])
    }))

  for (const { scheme, width } of looks)
    it(`have no barriers that axe knows, in ${scheme} colours at ${width} pixels`, () =>
      served.opened(
        async page => {
          await signIn(page, 'ada')
          await page.getByRole('button', { name: 'Account: Ada Admin' }).waitFor()
          await openStory(page, sample)
          assert.deepEqual(await accessibilityOf(page), [])
          await assertFits(page)
          await body(page).getByText('linked').click()
          await page.keyboard.press('Control+k')
          await page.getByRole('textbox', { name: 'Address' }).waitFor()
          assert.deepEqual(await accessibilityOf(page), [])
          await assertFits(page)
        },
        { scheme, width },
      ))

  it('are only read where the layout says so: neither keys nor the clipboard change them', () =>
    served.signedIn('ada', async page => {
      const layout = (method: string, text: string) =>
        page.evaluate(
          async ([method, body]) => {
            const headers = { 'Content-Type': 'application/json' }
            const url = '/console/layouts/api::story.story'
            return (await fetch(url, { method: method as string, headers, body: body || null })).status
          },
          [method, text],
        )
      assert.equal(await layout('PUT', JSON.stringify({ fields: { body: { editable: false } } })), 200)
      await openStory(page, [paragraph(text('only '), link('https://example.com', text('read')))])
      assert.equal(await body(page).getAttribute('aria-readonly'), 'true')
      assert.equal(await page.getByRole('toolbar').count(), 0)
      await body(page).press('Control+a')
      await page.keyboard.press('Control+x')
      await page.keyboard.press('Control+b')
      await page.keyboard.press('Alt+ArrowDown')
      await page.keyboard.type('x')
      await paste(page, { 'text/plain': 'y' })
      assert.equal(await body(page).textContent(), 'only read')
      await isSaved(page)
      assert.ok((await layout('DELETE', '')) < 300)
    }))

  it('draw one line of 300 for a key', () =>
    served.signedIn('ada', async page => {
      const id = await openStory(
        page,
        Array.from({ length: 300 }, (_, at) =>
          paragraph(text(`Words of the paragraph ${at} `), text('bold', { bold: true })),
        ),
      )
      await body(page).getByText('paragraph 150 ').click()
      await page.keyboard.press('End')
      await page.evaluate(`
        globalThis.changed = new Set()
        new MutationObserver(found => {
          for (const { target } of found) changed.add(target.closest?.('p') ?? target.parentElement)
        }).observe(document.querySelector('.blocks'), { subtree: true, childList: true, characterData: true })`)
      const client = await page.context().newCDPSession(page)
      await client.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' })
      await client.send('Performance.enable')
      /** Milliseconds of the processor that the page has worked. */
      const worked = async () => {
        const { metrics } = await client.send('Performance.getMetrics')
        return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
      }
      const before = await worked()
      await page.keyboard.type('y'.repeat(40))
      await body(page).getByText('y'.repeat(40)).waitFor()
      console.info(`300 blocks: the page works ${(((await worked()) - before) / 40).toFixed(1)} ms a key`)
      const lines = await page.evaluate<number>('changed.size')
      assert.equal(lines, 1)
      const blocks = (await saved(page, id)) as { children: { text: string }[] }[]
      assert.equal(blocks[150]?.children[1]?.text, `bold${'y'.repeat(40)}`)
    }))
})

const sample = [
  h2('A heading'),
  paragraph(
    text('Text '),
    text('bold', { bold: true }),
    text(' '),
    link('https://example.com', text('linked')),
    text(' and '),
    text('code', { code: true }),
  ),
  list('ordered', item(text('one')), { ...list('unordered', item(text('two'))), indentLevel: 1 }, item(text('three'))),
  { type: 'quote', children: [text('A quote')] },
  { type: 'code', language: 'sql', children: [text('select 1\nfrom x')] },
  { type: 'embed', children: [text('')] },
  { type: 'heading', level: 3, children: [text('Small')] },
]
