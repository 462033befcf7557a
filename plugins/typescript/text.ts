/** A name as a key of an object type. */
export const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

export const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** A union of words, or never. */
export const wordsOf = (words: readonly string[]): string => unionOf(words.map(quoted))

/** A union of types, each of them once. */
export function unionOf(types: readonly string[]): string {
  const once = [...new Set(types)]
  return once.includes('unknown') ? 'unknown' : once.length === 0 ? 'never' : once.join(' | ')
}

/** A line of an object type. */
export interface Member {
  readonly name: string
  readonly type: string
  readonly optional?: boolean
  readonly says?: string | undefined
}

/** An object type on one line where it fits, or with a line for each of its members. */
export function objectOf(members: readonly Member[], indent: string): string {
  if (members.length === 0) return '{}'
  const short = `{ ${members.map(({ name, type, optional }) => `${keyOf(name)}${optional ? '?' : ''}: ${type}`).join('; ')} }`
  const isShort = short.length + indent.length <= 100 && !short.includes('\n') && members.every(({ says }) => !says)
  return isShort ? short : `{\n${membersOf(members, `${indent}  `)}${indent}}`
}

/** The members of an object type or an interface, a line for each; long unions have a line for each type. */
export function membersOf(members: readonly Member[], indent = '  '): string {
  return members
    .map(({ name, type, optional, says }) => {
      const comment = says === undefined ? '' : `${indent}/** ${says.replaceAll('*/', '*\\/')} */\n`
      const start = `${indent}${keyOf(name)}${optional ? '?' : ''}:`
      return `${comment}${start}${wrapped(type, `${indent}  `, start.length)}\n`
    })
    .join('')
}

/** A type behind a colon; a union that is too long for the line has a line for each of its types. */
function wrapped(type: string, indent: string, used: number): string {
  const isLong = used + type.length > 118 && !/[\n{(]/.test(type) && type.includes(' | ')
  return isLong
    ? type
        .split(' | ')
        .map(part => `\n${indent}| ${part}`)
        .join('')
    : ` ${type}`
}

export const interfaceOf = (name: string, members: readonly Member[], says?: string): string => {
  const comment = says === undefined ? '' : `/** ${says} */\n`
  const body = members.length === 0 ? '{}' : `{\n${membersOf(members)}}`
  return `${comment}export interface ${name} ${body}\n`
}
