import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { RequestError } from '../../../../dist/core/index.js'
import { readParts } from '../../../../dist/plugins/upload/forms/multipart.js'

/** A multipart body is read whole or refused; nothing of it stays behind, and no name leads out of the folder. */
export async function multipart({ folder }) {
  const staging = join(folder, 'incoming')
  const limits = { body: 20_000, file: 5000, fields: 2000, parts: 10 }
  const part = (head, body) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
  const file = part('name="files"; filename="a.txt"', 'content').replace(
    '\r\n\r\n',
    '\r\nContent-Type: text/plain\r\n\r\n',
  )
  const tokens = [
    ...[
      '--x',
      '--x--',
      '\r\n',
      '\r\n\r\n',
      '\n',
      '\r',
      '--',
      '"',
      ';',
      '=',
      ':',
      'name=',
      'filename=',
      "filename*=UTF-8''%41",
    ],
    ...[
      'Content-Disposition: form-data; ',
      'Content-Type: ',
      'Content-Transfer-Encoding: base64',
      'multipart/mixed; boundary=y',
    ],
    ...[
      'files',
      'data',
      '__proto__',
      'constructor',
      '../',
      '\\',
      '\0',
      '%2e',
      '_charset_',
      '=?utf-8?b?YQ==?=',
      ' ',
      '\t',
    ],
  ]
  return {
    seeds: [
      `${part('name="data"', '{"a":1}')}${file}--x--\r\n`,
      `${file}${file}${part('name="a"', '1')}${part('name="a"', '2')}--x--`,
      `preamble\r\n${part('name="a"; filename=""', '')}--x--\r\nepilogue`,
    ],
    tokens,
    async run(input) {
      const cut = input.length > 0 ? input[0] % (input.length + 1) : 0
      // A body comes in pieces, cut anywhere.
      const req = Readable.from([input.subarray(0, cut), input.subarray(cut)].filter(({ length }) => length > 0))
      Object.assign(req, {
        headers: { 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' },
      })
      const ctx = { req, method: 'POST', is: () => 'multipart/form-data' }
      try {
        const { fields, files, discard } = await readParts(ctx, staging, limits)
        assert.ok(fields.size + files.length <= limits.parts)
        for (const { path, name, bytes } of files) {
          assert.ok(path.startsWith(staging) && bytes <= limits.file)
          // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no name may hold
          assert.doesNotMatch(name, /[\\/\u0000-\u001f]/)
        }
        await discard()
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        assert.ok(error.status >= 400 && error.status < 500)
      }
      assert.deepEqual(existsSync(staging) ? readdirSync(staging) : [], [])
      assert.deepEqual(Object.keys(Object.prototype), [])
    },
  }
}
