/*
 * The heat map's script: each cell is a slot of time, and the graph below is of
 * the slots from one click to the next.  The graph is a document of its own.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
(function () {
'use strict';

const by_id = id => document.getElementById(id);
const data = JSON.parse(by_id('data').textContent);
const canvas = document.querySelector('canvas');
const frame = document.querySelector('iframe');
const said = by_id('said');
const count = data.slots.length;
const columns = Math.ceil(count / data.rows);
const left = 56;			/* of the cells: labels of rows */
const wide = Math.max(3, Math.floor((window.innerWidth - left - 40) / columns));
const high = Math.max(3, Math.min(12, Math.floor(480 / data.rows)));
const row = 17, top = 104, width = 1200, margin = 10;
const narrowest = 0.1;			/* pixels */
const totals = new Float64Array(count);
let first = null, picked = [0, count - 1];

function
add_up()
{
	const now = new Float64Array(data.stacks.length);
	let sum = 0;
	for (let i = 0; i < count; i++) {
		const slot = data.slots[i];
		for (let k = 0; k < slot.length; k += 2) {
			sum += slot[k + 1] - now[slot[k]];
			now[slot[k]] = slot[k + 1];
		}
		totals[i] = sum;
	}
}

/* Each stack's weight from slot a to slot b, by the lengths of its runs. */
function
weights(a, b)
{
	const n = data.stacks.length;
	const now = new Float64Array(n), since = new Float64Array(n);
	const sums = new Float64Array(n);
	const end = (s, at) => {
		const slots = Math.min(at, b + 1) - Math.max(since[s], a);
		if (slots > 0)
			sums[s] += now[s] * slots;
		since[s] = at;
	};
	for (let i = 0; i <= b; i++) {
		const slot = data.slots[i];
		for (let k = 0; k < slot.length; k += 2) {
			end(slot[k], i);
			now[slot[k]] = slot[k + 1];
		}
	}
	for (let s = 0; s < n; s++)
		end(s, b + 1);
	return sums;
}

/* Nodes that read the same and have the same parent are one, as in flames. */
function
tree(a, b)
{
	const sums = weights(a, b), total = new Float64Array(data.nodes.length);
	for (let s = 0; s < sums.length; s++)
		total[data.stacks[s]] += sums[s];
	for (let n = data.nodes.length - 1; n > 0; n--)
		total[data.nodes[n][0]] += total[n];
	const root = {name: 'all', style: 'all', module: '', weight: total[0],
	    parts: new Map()};
	const made = [root];
	for (let n = 1; n < data.nodes.length; n++) {
		if (!total[n])
			continue;
		const [parent, f] = data.nodes[n];
		const [name, style, module] = data.frames[f];
		const key = name + '\n' + style + '\n' + module;
		const parts = made[parent].parts;
		let node = parts.get(key);
		if (!node)
			parts.set(key, node = {name, style, module, weight: 0,
			    parts: new Map()});
		node.weight += total[n];
		made[n] = node;
	}
	return root;
}

function
escaped(text)
{
	return text.replace(/[&<>"]/g, c => '&#' + c.charCodeAt(0) + ';');
}

function
rectangles(root)
{
	const scale = (width - 2 * margin) / (root.weight || 1);
	const all = [];
	let deepest = 0;
	const put = (node, start, depth) => {
		if (node.weight * scale < narrowest && depth)
			return;
		deepest = Math.max(deepest, depth);
		all.push({node, start, depth});
		const parts = [...node.parts.values()];
		parts.sort((x, y) => x.name < y.name ? -1 : x.name > y.name);
		for (const part of parts) {
			put(part, start, depth + 1);
			start += part.weight;
		}
	};
	put(root, 0, 0);
	return {all, deepest, scale};
}

function
group(r, deepest, scale, whole)
{
	const n = r.node, x = margin + r.start * scale;
	const share = (whole ? 100 * n.weight / whole : 0).toFixed(2) + ' %';
	const about = (n.module ? ' (' + n.module + ')' : '') + '\n' +
	    n.weight + ' ' + data.unit + ', ' + share;
	return '<g data-f="' + r.start + ' ' + n.weight + ' ' + r.depth +
	    '"><title>' + escaped(n.name) + '\n' + escaped(about) +
	    '</title><rect class="' + n.style + '" x="' + x.toFixed(2) +
	    '" y="' + (top + row * (deepest - r.depth)) + '" width="' +
	    (n.weight * scale).toFixed(2) + '" height="' + (row - 1) +
	    '"/></g>\n';
}

function
graph(a, b)
{
	const root = tree(a, b);
	const {all, deepest, scale} = rectangles(root);
	const height = top + row * (deepest + 1) + 48;
	const line = (style, y, text) => '<text class="' + style + '" x="10" ' +
	    'y="' + y + '">' + escaped(text) + '</text>\n';
	frame.style.height = Math.min(height + 20,
	    Math.max(300, window.innerHeight * 0.8)) + 'px';
	return '<!DOCTYPE html><meta charset="utf-8"><style>body { margin: 0 }' +
	    by_id('flame_style').textContent + '</style><svg class="flames" ' +
	    'xmlns="http://www.w3.org/2000/svg" width="' + width +
	    '" height="' + height + '" data-left-out="0" tabindex="0">\n' +
	    '<g class="head"><rect width="100%" height="100" fill="#fff"/>' +
	    line('event', 26, document.title) +
	    line('quiet', 46, time(a) + ' to ' + time(b + 1)) +
	    line('quiet', 66, root.weight + ' ' + data.unit) + '</g>' +
	    '<g class="frames">\n' + all.map(r => group(r, deepest, scale,
	    root.weight)).join('') + '</g>\n' +
	    line('details', height - 32, '') + '<script>' +
	    by_id('flame_script').textContent + '</scr' + 'ipt></svg>';
}

function
time(slot)
{
	const t = new Date(data.began_ms + slot * data.slot_ms);
	const two = n => String(n).padStart(2, '0');
	return t.getFullYear() + '-' + two(t.getMonth() + 1) + '-' +
	    two(t.getDate()) + ' ' + two(t.getHours()) + ':' +
	    two(t.getMinutes()) + ':' + two(t.getSeconds()) +
	    (data.slot_ms < 1000 ? '.' + String(t.getMilliseconds())
	    .padStart(3, '0') : '');
}

function
draw()
{
	const to = canvas.getContext('2d');
	const some = totals.filter(t => t > 0);
	const most = some.reduce((x, y) => Math.max(x, y), 0);
	const least = some.reduce((x, y) => Math.min(x, y), most);
	to.fillStyle = '#fff';
	to.fillRect(0, 0, canvas.width, canvas.height);
	for (let i = 0; i < count; i++) {
		const part = most > least ?
		    (totals[i] - least) / (most - least) : 0.5;
		const inside = first === null && picked[0] <= i &&
		    i <= picked[1];
		const x = Math.floor(i / data.rows) * wide;
		const y = i % data.rows * high;
		to.fillStyle = totals[i] ? 'hsl(' + (50 - 50 * part) +
		    ' 95% ' + (92 - 45 * part) + '%)' : '#f4f4f4';
		to.fillRect(x, y, wide - 1, high - 1);
		if (!inside && first === null) {
			to.fillStyle = 'rgba(255, 255, 255, .6)';
			to.fillRect(x, y, wide, high);
		}
	}
}

function
label(text, x, y, style)
{
	const e = document.createElement('span');
	e.textContent = text;
	e.className = style;
	e.style.left = x + 'px';
	e.style.top = y + 'px';
	by_id('map').append(e);
}

/* Times above the columns, and how far into its column a row is. */
function
draw_labels()
{
	const day = data.slot_ms * data.rows >= 86400000;
	const every = Math.ceil(130 / wide), rows = Math.ceil(24 / high);
	for (let c = 0; c < columns; c += every)
		label(day ? time(c * data.rows).slice(0, 10) :
		    time(c * data.rows).slice(11, 19), left + c * wide, 0,
		    'column');
	for (let r = 0; r < data.rows; r += rows) {
		const s = r * data.slot_ms / 1000;
		label('+' + (s >= 3600 ? Math.floor(s / 3600) + ' h' :
		    s >= 60 ? Math.floor(s / 60) + ' min' : +s.toFixed(2) +
		    ' s'), 0, 16 + r * high, 'row');
	}
	const some = totals.filter(t => t > 0);
	by_id('scale').textContent = some.length ? 'a cell: ' +
	    some.reduce((x, y) => Math.min(x, y)) + ' (pale) to ' +
	    some.reduce((x, y) => Math.max(x, y)) + ' (red) ' + data.unit : '';
}

function
slot_at(e)
{
	const box = canvas.getBoundingClientRect();
	const column = Math.floor((e.clientX - box.left - 1) / wide);
	const line = Math.floor((e.clientY - box.top - 1) / high);
	return Math.max(0, Math.min(count - 1, column * data.rows +
	    Math.max(0, Math.min(data.rows - 1, line))));
}

function
pick(a, b)
{
	picked = [Math.min(a, b), Math.max(a, b)];
	first = null;
	said.textContent = time(picked[0]) + ' to ' + time(picked[1] + 1);
	frame.srcdoc = graph(picked[0], picked[1]);
	draw();
}

/* The slots from A to B, from the address: page.html#A-B. */
function
pick_by_address()
{
	const m = /^#(\d+)-(\d+)$/.exec(location.hash);
	const place = text => Math.min(Number(text), count - 1);
	if (m)
		pick(place(m[1]), place(m[2]));
	else
		pick(0, count - 1);
}

canvas.width = columns * wide;
canvas.height = data.rows * high;
canvas.addEventListener('mousedown', e => {
	first = slot_at(e);
});
canvas.addEventListener('mouseup', e => {
	if (first !== null)
		pick(first, slot_at(e));
});
canvas.addEventListener('mousemove', e => {
	const slot = slot_at(e);
	said.textContent = time(slot) + ': ' + totals[slot] + ' ' + data.unit;
});
canvas.addEventListener('dblclick', () => pick(0, count - 1));
window.addEventListener('hashchange', pick_by_address);
add_up();
draw_labels();
pick_by_address();
}());
