/*
 * The flame graph's script zooms, searches and fits the graph to the window.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
(function () {
'use strict';

const svg = document.currentScript.ownerSVGElement;
const svg_ns = svg.namespaceURI, html_ns = 'http://www.w3.org/1999/xhtml';
const margin = 10, wide = 2;		/* columns of what is not ASCII */
const head = 72;			/* pixels above the controls */
const least = 3;			/* of a name that is cut */
const narrowest = 0.3;			/* pixels; else it is not shown */
const details = svg.querySelector('.details');
const frames = [];			/* each before what is above it */
let zoomed, current = null, pattern = null;
let column = 7.25;			/* pixels */

function
read_frames()
{
	const open = [];
	for (const g of svg.querySelectorAll('[data-f]')) {
		const [start, weight, depth] =
		    g.dataset.f.split(' ').map(Number);
		const lines = g.querySelector('title').textContent.split('\n');
		const f = {g, start, weight, depth, name: lines[0],
		    about: lines.filter(l => l !== '').join(', '),
		    rect: g.querySelector('rect'),
		    text: g.querySelector('text'), index: frames.length,
		    end: 0, parent: depth ? open[depth - 1] : null,
		    shown: true};
		for (const done of open.splice(depth))
			done.end = frames.length;
		open.push(f);
		frames.push(f);
		g.frame = f;
	}
	for (const done of open)
		done.end = frames.length;
}

/* True if it is f or holds f. */
function
holds(outer, f)
{
	return outer.index <= f.index && f.index < outer.end;
}

function
percent(part, whole)
{
	return (whole ? 100 * part / whole : 0).toFixed(2) + ' %';
}

function
cut(name, room)
{
	let used = 0, fits = '', text = '';
	for (const c of name) {
		if (used + 2 <= room)
			fits = text;
		text += c;
		used += c < '\x80' ? 1 : wide;
	}
	return used <= room ? name : fits.length < least ? '' :
	    fits + '..';
}

function
draw_name(f, x, width)
{
	const name = cut(f.name, Math.floor((width - 6) / column));
	if (!f.text && name === '')
		return;
	if (!f.text) {
		f.text = document.createElementNS(svg_ns, 'text');
		f.text.setAttribute('y', +f.rect.getAttribute('y') + 12);
		f.g.append(f.text);
	}
	f.text.textContent = name;
	f.text.setAttribute('x', x + 3);
}

function
draw_frame(f, room)
{
	const inside = holds(zoomed, f), outside = holds(f, zoomed) && !inside;
	const scale = zoomed.weight ? room / zoomed.weight : 0;
	const x = outside ? margin : margin + (f.start - zoomed.start) * scale;
	const width = outside ? room : f.weight * scale;
	f.shown = outside || (inside && (width >= narrowest || !f.depth));
	f.g.style.display = f.shown ? '' : 'none';
	f.g.classList.toggle('outside', outside);
	if (!f.shown)
		return;
	f.rect.setAttribute('x', x);
	f.rect.setAttribute('width', Math.max(width - (width > 3 ? 0.5 : 0),
	    0.3));
	draw_name(f, x, width);
}

function
draw()
{
	const width = svg.getBoundingClientRect().width;
	const room = Math.max(width - 2 * margin, 100);
	for (const f of frames)
		draw_frame(f, room);
	controls.place.setAttribute('width', Math.max(room - 280, 100));
	controls.reset.hidden = zoomed === frames[0];
}

function
zoom(f)
{
	zoomed = f;
	draw();
	search(pattern);
}

function
tell(f)
{
	const part = f && zoomed.depth && f !== zoomed && holds(zoomed, f);
	details.textContent = (f ? f.about : '') + (part ? '; ' +
	    percent(f.weight, zoomed.weight) + ' of ' + zoomed.name : '');
}

/* Counts each event once: a match inside a match counts with the outer one. */
function
matched()
{
	for (let f = zoomed.parent; f; f = f.parent)
		if (f.hit)
			return zoomed.weight;
	let sum = 0;
	for (let i = zoomed.index; i < zoomed.end;) {
		if (frames[i].hit) {
			sum += frames[i].weight;
			i = frames[i].end;
		} else {
			i++;
		}
	}
	return sum;
}

/* Null: nothing is sought.  With a capital letter the case matters. */
function
search(text)
{
	let re = null, wrong = false;
	pattern = text || null;
	try {
		if (pattern)
			re = new RegExp(pattern,
			    /[A-Z]/.test(pattern) ? '' : 'i');
	} catch (e) {
		wrong = true;
	}
	for (const f of frames) {
		f.hit = !!re && f.depth > 0 && re.test(f.name);
		f.g.classList.toggle('hit', f.hit);
	}
	controls.input.classList.toggle('wrong', wrong);
	controls.matched.textContent = wrong ? 'no regular expression' :
	    re ? 'matched ' + (+svg.dataset.leftOut ? 'at least ' : '') +
	    percent(matched(), zoomed.weight) +
	    (zoomed === frames[0] ? '' : ' of ' + cut(zoomed.name, 24)) : '';
}

function
make(parent, kind, members)
{
	const e = document.createElementNS(html_ns, kind);
	parent.append(e);
	return Object.assign(e, members);
}

function
make_controls()
{
	const place = document.createElementNS(svg_ns, 'foreignObject');
	for (const [key, value] of Object.entries({x: 290, y: head, width: 100,
	    height: 28}))
		place.setAttribute(key, value);
	svg.append(place);
	const form = make(place, 'form');
	const all = {place,
	    reset: make(form, 'button', {type: 'button', hidden: true,
		className: 'reset', textContent: 'Reset zoom',
		title: 'Escape'}),
	    matched: make(form, 'span', {className: 'matched'}),
	    input: make(form, 'input', {type: 'text', spellcheck: false,
		placeholder: 'Search: regular expression',
		title: '/ or Ctrl-F'})};
	all.matched.setAttribute('role', 'status');
	all.input.setAttribute('aria-label', 'Search by regular expression');
	form.addEventListener('submit', e => e.preventDefault());
	all.input.addEventListener('input', () => search(all.input.value));
	all.reset.addEventListener('click', () => zoom(frames[0]));
	return all;
}

/* The frame from which the keys go on; marked if the keys led there. */
function
select(f, marked)
{
	if (current)
		current.g.classList.remove('current');
	current = f;
	f.g.classList.toggle('current', marked);
	tell(f);
}

function
go_to(f)
{
	if (!f)
		return;
	select(f, true);
	f.g.scrollIntoView({block: 'nearest'});
}

function
beside(f, step)
{
	for (let i = f.index + step; frames[i]; i += step)
		if (frames[i].depth === f.depth && frames[i].shown)
			return frames[i];
	return null;
}

function
widest_above(f)
{
	let widest = null;
	for (let i = f.index + 1; i < f.end; i = frames[i].end)
		if (frames[i].shown &&
		    (!widest || frames[i].weight > widest.weight))
			widest = frames[i];
	return widest;
}

/* All keys but the first two need a graph that has the focus. */
function
press(e)
{
	const typing = e.target === controls.input;
	const find = (e.ctrlKey || e.metaKey) && e.key === 'f';
	const plain = !e.ctrlKey && !e.metaKey && !e.altKey;
	const at = current && current.shown ? current : zoomed;
	const moves = {
		ArrowUp: () => go_to(widest_above(at)),
		ArrowDown: () => go_to(at.parent),
		ArrowLeft: () => go_to(beside(at, -1)),
		ArrowRight: () => go_to(beside(at, 1)),
		Enter: () => zoom(at),
		Backspace: () => zoom(zoomed.parent || zoomed),
	};
	if (!typing && (find || (plain && e.key === '/'))) {
		controls.input.focus();
		controls.input.select();
	} else if (e.key === 'Escape' && typing) {
		controls.input.value = '';
		search(null);
		svg.focus();
	} else if (e.key === 'Escape') {
		zoom(frames[0]);
	} else if (e.target === svg && plain && moves[e.key]) {
		moves[e.key]();
	} else if (typing && e.key === 'Enter') {
		svg.focus();
	} else {
		return;
	}
	e.preventDefault();
}

/* The title, the legend and the controls stay in sight, for the base is a screen
 * below or more. */
function
follow()
{
	const above = Math.max(0, -svg.getBoundingClientRect().top);
	controls.place.setAttribute('y', head + above);
	titles.setAttribute('transform', 'translate(0, ' + above + ')');
}

function
frame_of(e)
{
	const g = e.target.closest && e.target.closest('[data-f]');
	return g ? g.frame : null;
}

read_frames();
zoomed = frames[0];
svg.removeAttribute('viewBox');		/* from here on, draw() fits it */
svg.setAttribute('width', '100%');
const titles = svg.querySelector('.head');
svg.append(titles);			/* above the frames */
const controls = make_controls();
svg.addEventListener('click', e => {
	const f = frame_of(e);
	if (f) {
		zoom(f);
		select(f, false);
		svg.focus();
	}
});
svg.addEventListener('mouseover', e => tell(frame_of(e) || current));
window.addEventListener('keydown', press);
window.addEventListener('resize', draw);
window.addEventListener('scroll', follow);
draw();
/* Towers are narrow above: what is to be seen first is at the base. */
window.scrollTo(0, svg.getBoundingClientRect().bottom);
follow();
}());
