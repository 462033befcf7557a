import { replay } from './support/replay.js'

replay('broken')
