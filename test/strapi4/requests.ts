import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions } from 'light-my-request'
import { fixture, keyOf, type Multipart, type RecordedRequest } from './fixture.js'

/** A recorded request, ready to be sent. */
export function requestOf(recorded: RecordedRequest): InjectOptions {
  const { auth, method, path, headers = {} } = recorded
  const { payload, type } = bodyOf(recorded)
  const key = keyOf(auth)
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), withKeys(value)] as const)
  return {
    method: method as 'GET',
    url: path,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(type !== undefined && { 'content-type': type }),
      ...Object.fromEntries(named),
    },
    ...(payload !== undefined && { payload }),
  }
}

/** `{full}` stands for the token of that name. */
const withKeys = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => keyOf(name) ?? name)

function bodyOf({ body, raw, contentType, multipart }: RecordedRequest): { payload?: string | Buffer; type?: string } {
  if (multipart) return multipartOf(multipart)
  if (raw !== undefined) return { payload: raw, ...(contentType !== undefined && { type: contentType }) }
  return body === undefined ? {} : { payload: JSON.stringify(body), type: 'application/json' }
}

export function multipartOf({ fields, files }: Multipart): { payload: Buffer; type: string } {
  const boundary = 'boundary-of-the-replay'
  const part = (head: string, content: Buffer) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]
  const parts = [
    ...fields.flatMap(([name, value]) => part(`name="${name}"`, Buffer.from(value))),
    ...files.flatMap(({ field, file, filename, type }) =>
      part(
        `name="${field}"; filename="${filename}"\r\nContent-Type: ${type}`,
        readFileSync(join(fixture, 'files', file)),
      ),
    ),
    Buffer.from(`--${boundary}--\r\n`),
  ]
  return { payload: Buffer.concat(parts), type: `multipart/form-data; boundary=${boundary}` }
}
