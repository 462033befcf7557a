import { render } from 'preact'
import { App } from './app.js'
import './styles/index.css'
import { start } from './shell/session.js'

const place = document.getElementById('page')
if (place) render(<App />, place)
void start()
