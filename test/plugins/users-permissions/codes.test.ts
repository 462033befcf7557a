import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { makeCode, storedForms } from '../../../plugins/users-permissions/codes.js'
import { serverUrl, writeLetter } from '../../../plugins/users-permissions/letters.js'
import { typeOfName } from '../../../plugins/users-permissions/roles.js'

describe('codes of mails', () => {
  it('are random digits of the length that is asked for', () => {
    const codes = new Set(Array.from({ length: 100 }, () => makeCode(40, 60).sent))
    assert.equal(codes.size, 100)
    for (const code of codes) assert.match(code, /^[0-9a-f]{40}$/)
  })

  it('are found by what is stored of them, until they expire', () => {
    const { sent, stored } = makeCode(128, 60)
    assert.deepEqual(storedForms(sent, false), [stored])
    const old = makeCode(128, -1)
    assert.deepEqual(storedForms(old.sent, false), [])
  })

  it('cannot be given another expiry', () => {
    const { sent, stored } = makeCode(128, -1)
    const later = sent.slice(0, -8) + 'f'.repeat(8)
    assert.ok(!storedForms(later, true).includes(stored))
  })

  it('may be the text itself where plain ones are accepted, and never what is stored', () => {
    const { stored } = makeCode(40, 60)
    assert.deepEqual(storedForms('plain', true), ['plain'])
    assert.deepEqual(storedForms('plain', false), [])
    assert.deepEqual(storedForms(stored, true).includes(stored), false)
  })
})

describe('letters', () => {
  const options = {
    from: { name: 'Us', email: 'us@example.test' },
    response_email: '',
    object: 'Hello <%= USER.username %>',
    message: '<p>Hello <%=USER.username%>, <%= URL %>?code=<%= TOKEN %><%= nothing.at.all %><%= constructor %></p>',
  }
  const write = (username: string) =>
    writeLetter(options, 'a@example.test', { USER: { username }, URL: 'https://x.test', TOKEN: 'abc' })

  it('fill in what a template names', () => {
    const mail = write('alice')
    assert.equal(mail.subject, 'Hello alice')
    assert.equal(mail.html, '<p>Hello alice, https://x.test?code=abc</p>')
    assert.equal(mail.text, 'Hello alice, https://x.test?code=abc')
    assert.equal(mail.from, 'Us <us@example.test>')
    assert.equal('replyTo' in mail, false)
  })

  it('write names as text, not as HTML, headers or templates', () => {
    const mail = write('<a href="x">\r\nBcc: y <%= TOKEN %>')
    assert.equal(mail.subject, 'Hello <a href="x"> Bcc: y <%= TOKEN %>')
    assert.ok(mail.html.startsWith('<p>Hello &lt;a href=&quot;x&quot;&gt;'))
    assert.ok(!mail.html.includes('abc &'))
  })

  it('lead to the address of the settings', () => {
    const at = (server: object) => serverUrl({ server: { host: '0.0.0.0', port: 1337, ...server } } as never)
    assert.equal(at({}), 'http://localhost:1337')
    assert.equal(at({ host: '127.0.0.1' }), 'http://localhost:1337')
    assert.equal(at({ host: '10.0.0.1' }), 'http://10.0.0.1:1337')
    assert.equal(at({ url: 'https://api.example.test/' }), 'https://api.example.test')
  })
})

describe('the type of a role', () => {
  for (const [name, type] of [
    ['R', 'r'],
    ['Chief Editor', 'chief_editor'],
    ['Rédaction & Cie', 'redaction_cie'],
  ] as const)
    it(`is made of its name: ${name}`, () => assert.equal(typeOfName(name), type))
})
