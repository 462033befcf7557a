import { counted } from '../../../kit/counted.js'
import type { Finding } from '../../../plugin/parts.js'
import type { AppOptions } from '../app.js'

import type { Io } from '../io.js'

/** The options of `stele doctor`. */
export interface DoctorOptions extends AppOptions {
  readonly fix?: true
  readonly json?: true
  readonly backup?: string
}

/** A finding with its check, and the result of fixing it. */
export interface DoctorFinding extends Finding {
  readonly check: string
  readonly fixed: boolean
  /** The reason why it could not be fixed. */
  readonly failed?: string
}

/** Examples shown for each finding. */
const most = 5

export function showFindings(
  findings: readonly DoctorFinding[],
  checks: readonly { readonly check: string; readonly describe: string }[],
  { json, io }: { readonly json?: true; readonly io: Io },
): void {
  const ordered = severities.flatMap(severity => findings.filter(one => one.severity === severity))
  io.stdout.write(
    json ? `${JSON.stringify({ checks, findings: ordered.map(asJson) })}\n` : asText(ordered, checks.length),
  )
}

const severities = ['error', 'warning', 'note'] as const

const asJson = ({ fix, examples = [], whole, ...finding }: DoctorFinding) => ({
  ...finding,
  examples: whole ? examples : examples.slice(0, most),
  fixable: fix !== undefined,
})

function asText(findings: readonly DoctorFinding[], checks: number): string {
  const counts = severities.map(severity => counted(findings.filter(one => one.severity === severity).length, severity))
  return `${findings.map(one => `${paragraph(one)}\n`).join('')}${counted(checks, 'check')}: ${counts.join(', ')}\n`
}

function paragraph({ severity, check, says, examples = [], whole, advice, fix, fixed, failed }: DoctorFinding): string {
  const shown = examples.slice(0, most).join(', ')
  const more = examples.length > most ? `, and ${examples.length - most} more` : ''
  const lines = [
    `${severity}: ${check}: ${says}`,
    ...(whole ? examples : shown === '' ? [] : [`${shown}${more}`]),
    ...advice.split('\n'),
    ...(fixed ? [`fixed: ${fix?.does}`] : fix ? [`stele doctor --fix ${fix.does}`] : []),
    ...(failed === undefined ? [] : [`could not be fixed: ${failed}`]),
  ]
  return lines.map((line, index) => `${index === 0 ? '' : '  '}${line}\n`).join('')
}
