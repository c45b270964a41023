/** Every shader compiles and links by itself, as GLSL ES 3.00 of a real WebGL 2 context, without a word of the compiler. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { openPage, root } from "./harness.mjs";

const folder = path.join(root, "shaders");
const names = readdirSync(folder).filter((name) => name.endsWith(".frag"));

test("there are shaders, and each has its vertices", () => {
  assert.ok(names.length > 0);
  assert.deepEqual(readdirSync(folder).sort(), names.flatMap((name) => [name, name.replace(".frag", ".vert")]).sort());
});

for (const name of names)
  test(`${name} compiles and links`, async () => {
    const { page } = await openPage({ expectReady: false });
    const [vertices, fragments] = [name.replace(".frag", ".vert"), name].map((file) => readFileSync(path.join(folder, file), "utf8"));
    assert.match(fragments, /^#version 300 es/);
    const compile = (/** @type {string[]} */ sources) => page.evaluate(([vertex, fragment]) => {
      const gl = /** @type {WebGL2RenderingContext} */ (document.createElement("canvas").getContext("webgl2"));
      const program = gl.createProgram();
      const words = [];
      for (const [kind, source] of /** @type {const} */ ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]])) {
        const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
        gl.shaderSource(shader, source);
        gl.compileShader(shader);
        words.push(gl.getShaderParameter(shader, gl.COMPILE_STATUS), gl.getShaderInfoLog(shader));
        gl.attachShader(program, shader);
      }
      gl.linkProgram(program);
      return [...words, gl.getProgramParameter(program, gl.LINK_STATUS), gl.getProgramInfoLog(program)];
    }, sources);
    assert.deepEqual(await compile([vertices, fragments]), [true, "", true, "", true, ""]);
    // The test can fail: a line that is no GLSL is said so.
    assert.equal((await compile([vertices, `${fragments}\nvoid nonsense() { return 1; }`]))[2], false);
  });
