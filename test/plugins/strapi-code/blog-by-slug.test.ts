import { replay } from './support/replay.js'

replay('blog-by-slug')
