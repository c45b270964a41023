# Compiler options. Three INTERFACE targets:
#   memwall_options   language level, warnings as errors, no contraction of floating point (native = wasm)
#   memwall_shipped   what people run: neither exceptions nor RTTI (in wasm the linker must know it too, it selects libraries by it)
#   memwall_testing   what tests run: exceptions and RTTI, because the test library needs them
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Assertions stay on in what ships, so NDEBUG is in no build type. On the web bytes count; the replay
# asks for -O2 itself (modules.cmake). em++ -Oz alone forbids inlining even of a getter, which makes code larger.
if(EMSCRIPTEN)
  set(release_level "-Oz -finline-functions")
else()
  set(release_level -O2)
endif()
set(CMAKE_C_FLAGS_RELEASE ${release_level})
set(CMAKE_CXX_FLAGS_RELEASE ${release_level})

find_program(MEMWALL_CCACHE ccache)
if(MEMWALL_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${MEMWALL_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${MEMWALL_CCACHE})
endif()

find_program(MEMWALL_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(MEMWALL_PYTHON NAMES python3 REQUIRED)

if(MEMWALL_SANITIZE)
  add_compile_options(-fsanitize=${MEMWALL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${MEMWALL_SANITIZE})
endif()

add_library(memwall_options INTERFACE)
target_compile_options(memwall_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wsign-conversion -Werror -ffp-contract=off -UNDEBUG
  # An assertion names its file: below the project, the same on every machine.
  -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # Sees overlapping copies in std::string's operator+ where there are none (GCC bug 105651).
  target_compile_options(memwall_options INTERFACE -Wno-restrict)
endif()

add_library(memwall_shipped INTERFACE)
target_link_libraries(memwall_shipped INTERFACE memwall_options)
target_compile_options(memwall_shipped INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti>)

add_library(memwall_testing INTERFACE)
target_link_libraries(memwall_testing INTERFACE memwall_options)

if(EMSCRIPTEN)
  # What every browser with WebGL2 has and newer compilers assume by themselves: one instruction copies a block (the
  # library's memcpy takes 50 ns for 168 bytes, and half of a replay was that), extends a byte, truncates a double.
  target_compile_options(memwall_shipped INTERFACE -mbulk-memory -msign-ext -mnontrapping-fptoint)
  # The texts of the catalogue are given to the module apart (src/catalogue/packed.hpp).
  target_compile_definitions(memwall_shipped INTERFACE EMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0 MEMWALL_TEXTS_APART=1)
  # Optimising over all files at the link saves an eighth of the bytes. What is inlined was inlined when the files were
  # compiled: at the link it only repeats code, and joining functions with one caller makes them harder to pack.
  set(shipped_link -flto "SHELL:-Wl,-mllvm -Wl,-inline-threshold=-20000"
                   "-sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=20,-Oz")
  target_compile_options(memwall_shipped INTERFACE $<$<CONFIG:Release>:-flto>)
  target_include_directories(memwall_shipped BEFORE INTERFACE ${CMAKE_CURRENT_LIST_DIR}/trap)  # its assert.h
  target_link_options(memwall_shipped INTERFACE -fno-exceptions -fno-rtti "$<$<CONFIG:Release>:${shipped_link}>")
  target_compile_options(memwall_testing INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fexceptions>)
  target_link_options(memwall_testing INTERFACE -fexceptions)
endif()
