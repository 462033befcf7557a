import { foreignProjects } from '../../../foreign/known.js'
import type { Io } from '../io.js'

export const noCodeOption = {
  flags: '--no-code',
  says: "in the folder of another server's project: serve without the code of the project",
}

export interface CodeOption {
  readonly code?: boolean
}

/** Tells this process, and those that it starts, that no code of another server's folder is to run. */
export function leaveCode({ env }: Pick<Io, 'env'>): void {
  for (const { code } of foreignProjects) env[code.variable] = '0'
}
