import { replay } from './support/replay.js'

replay('local-plugin')
