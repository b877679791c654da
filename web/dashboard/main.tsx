import { render } from 'preact';

const place = document.querySelector('#dashboard');
if (place) render(<p>Practice dashboard</p>, place);
