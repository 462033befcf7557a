import { type AppOfCheck, CodeOnDisk } from './project.js'
import { lackingModules } from './requests.js'
import { wrongRoutes } from './routes.js'
import { type Finding, noteSets, Walk } from './walk.js'

export type { AppOfCheck, Finding }

/** The parts of a project's code that nothing carries, by file and line; nothing of the project runs. */
export function checkCode(app: AppOfCheck): Finding[] {
  const code = new CodeOnDisk(app)
  for (const source of code.sources) noteSets(code, source)
  code.forget()
  const found = code.sources.flatMap(source => [...new Walk(code, source).findings(), ...lackingModules(code, source)])
  return unique([...found, ...wrongRoutes(code)])
}

/** Each once, in the order of files and lines; a package that is missing at several places is installed once, too. */
function unique(findings: readonly Finding[]): Finding[] {
  const once = new Map<string, Finding>()
  for (const one of findings.toSorted((a, b) => compare(a.file, b.file) || a.line - b.line)) {
    const key = one.package ?? `${one.file} ${one.line} ${one.says}`
    if (!once.has(key)) once.set(key, one)
  }
  return [...once.values()]
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
