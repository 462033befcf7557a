/** Text before the slash of an expression, and never before that of a division. */
const before = /(^|[(,=:[!&|?{};+\-*%~^<>])\s*$|\b(return|typeof|case|of|in)\s*$/

/** The regular expressions that a file of TypeScript writes with slashes. */
export function expressionsOf(code: string): RegExp[] {
  const found: RegExp[] = []
  let at = code.startsWith('#!') ? code.indexOf('\n') : 0
  /** A stack of open braces: true for those inside a template. */
  const templates: boolean[] = []
  let start = 0
  const skip = (end: RegExp) => {
    end.lastIndex = at + 1
    end.exec(code)
    at = end.lastIndex === 0 ? code.length : end.lastIndex
    start = at
  }
  const literal = /\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/([a-z]*)/y
  const text = /(?:[^\\`$]|\\[\s\S]|\$(?!\{))*(`|\$\{)/y
  const template = () => {
    text.lastIndex = at + 1
    const closed = text.exec(code)
    at = text.lastIndex
    start = at
    if (closed?.[1] === '${') templates.push(true)
  }
  while (at < code.length) {
    const two = code.slice(at, at + 2)
    const one = two[0] as string
    if (two === '//') skip(/\n/g)
    else if (two === '/*') skip(/\*\//g)
    else if (one === "'") skip(/(?:[^'\\\n]|\\[\s\S])*'/y)
    else if (one === '"') skip(/(?:[^"\\\n]|\\[\s\S])*"/y)
    else if (one === '`') template()
    else if (one === '}' && templates.pop()) template()
    else if (one === '/' && before.test(code.slice(Math.min(start, at), at).slice(-40) || '(')) {
      literal.lastIndex = at
      const match = literal.exec(code)
      if (!match) throw new Error(`no end of ${code.slice(at, at + 40)}`)
      const [whole, flags = ''] = match
      found.push(new RegExp(whole.slice(1, whole.lastIndexOf('/')), flags))
      at += whole.length
      start = at
    } else {
      if (one === '{') templates.push(false)
      at += 1
    }
  }
  return found
}
