# The core library and the functions with which src/<module>/CMakeLists.txt describes itself:
#   memwall_sources(a.cpp b.cpp)                 sources of this module, into the one core library
#   memwall_generated(SCRIPT s.py OUTPUTS x.hpp y.cpp DEPENDS data.jsonl)
#                                                runs scripts/s.py --source <module> --output ${generated}/<module>; .cpp outputs join the core
#   memwall_cli_sources(main.cpp)                the program build/native/memwall (native only)
#   memwall_wasm_module(core memwall_core core_bindings.cpp)
#                                                the ES module core.mjs + core.wasm of a library and a source (wasm only)
# The core exists twice from one list: memwall_core ships (outside it is memwall::core), memwall_core_testing is linked by tests.
set(generated ${PROJECT_BINARY_DIR}/generated)
configure_file(${PROJECT_SOURCE_DIR}/scripts/cmake/version.hpp.in ${generated}/base/version.hpp @ONLY)

function(memwall_add_core name flavour)
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${generated}/base/version.hpp)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<BUILD_INTERFACE:${generated}>
                                            $<INSTALL_INTERFACE:include/memwall>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  # Our warnings, and no exceptions, are not for those who link the core from outside.
  target_link_libraries(${name} PUBLIC yyjson PRIVATE $<BUILD_INTERFACE:${flavour}>)
endfunction()

memwall_add_core(memwall_core memwall_shipped)
add_library(memwall::core ALIAS memwall_core)
set(core_targets memwall_core)
if(MEMWALL_BUILD_TESTS)
  memwall_add_core(memwall_core_testing memwall_testing)
  list(APPEND core_targets memwall_core_testing)
endif()

# The replay is called thousands of times by solver and fit map: speed before bytes, also on the web. Unrolled loops were 0.6 KB
# of the core and no faster.
set(MEMWALL_FAST_SOURCES memory/evaluate.cpp)

function(memwall_sources)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source)
    foreach(target IN LISTS core_targets)
      target_sources(${target} PRIVATE ${source})
    endforeach()
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE name)
    if(EMSCRIPTEN AND name IN_LIST MEMWALL_FAST_SOURCES AND CMAKE_BUILD_TYPE STREQUAL Release)
      set_property(SOURCE ${source} TARGET_DIRECTORY ${core_targets} APPEND PROPERTY COMPILE_OPTIONS -O2 -fno-unroll-loops)
    endif()
  endforeach()
endfunction()

function(memwall_generated)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SCRIPT" "OUTPUTS;DEPENDS")
  get_filename_component(module ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  list(TRANSFORM arg_OUTPUTS PREPEND ${generated}/${module}/ OUTPUT_VARIABLE outputs)
  list(TRANSFORM arg_DEPENDS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE inputs)
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${MEMWALL_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/${arg_SCRIPT}
            --source ${CMAKE_CURRENT_SOURCE_DIR} --output ${generated}/${module}
    DEPENDS ${PROJECT_SOURCE_DIR}/scripts/${arg_SCRIPT} ${inputs}
    COMMENT "Generating ${module}"
    VERBATIM)
  add_custom_target(memwall_generate_${module} DEPENDS ${outputs})
  foreach(target IN LISTS core_targets)
    # Both libraries compile the outputs; the target makes the script run once, before either.
    add_dependencies(${target} memwall_generate_${module})
    foreach(output IN LISTS outputs)
      set_source_files_properties(${output} TARGET_DIRECTORY ${target} PROPERTIES GENERATED ON)
      target_sources(${target} PRIVATE ${output})
    endforeach()
  endforeach()
endfunction()

function(memwall_cli_sources)
  if(EMSCRIPTEN)
    return()
  endif()
  add_executable(memwall ${ARGN})
  target_link_libraries(memwall PRIVATE memwall_core memwall_shipped)
  set_target_properties(memwall PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endfunction()

function(memwall_wasm_module name library)
  if(NOT EMSCRIPTEN)
    return()
  endif()
  # The name of the setting changed; newer compilers default to 64 KB.
  if(EMSCRIPTEN_VERSION VERSION_LESS 3.1.27)
    set(stack TOTAL_STACK)
  else()
    set(stack STACK_SIZE)
  endif()
  set(linked_by pack_wasm.py wasm_binary.py split_wasm.py rest_data.py first_calls.mjs)
  list(TRANSFORM linked_by PREPEND ${PROJECT_SOURCE_DIR}/scripts/)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE ${library} memwall_shipped)
  set_target_properties(${name} PROPERTIES SUFFIX .mjs RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
    LINK_DEPENDS "${linked_by}")
  target_link_options(${name} PRIVATE
    --bind --no-entry -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=web,worker -sDYNAMIC_EXECUTION=0 -sFILESYSTEM=0
    -sALLOW_MEMORY_GROWTH=1 -sMALLOC=emmalloc -s${stack}=1048576
    -sINCOMING_MODULE_JS_API=instantiateWasm -sTEXTDECODER=2)
  set(scripts ${PROJECT_SOURCE_DIR}/scripts)
  set(pack ${MEMWALL_PYTHON} ${scripts}/pack_wasm.py)
  set(wasm ${PROJECT_BINARY_DIR}/${name}.wasm)
  if(NOT (name STREQUAL core AND CMAKE_BUILD_TYPE STREQUAL Release))
    add_custom_command(TARGET ${name} POST_BUILD VERBATIM COMMAND ${pack} ${wasm})
    return()
  endif()
  # Binaryen comes with the compiler.
  get_filename_component(compiler ${CMAKE_CXX_COMPILER} REALPATH)
  get_filename_component(compiler ${compiler} DIRECTORY)
  find_program(MEMWALL_WASM_SPLIT wasm-split HINTS ${compiler}/../bin REQUIRED)
  find_program(MEMWALL_NODE NAMES node nodejs HINTS ${compiler}/../../node/bin REQUIRED)
  set(rest ${PROJECT_BINARY_DIR}/${name}-rest.wasm)
  set(map ${PROJECT_BINARY_DIR}/${name}.map)
  # split_wasm.py reads the names of functions, the map, and the file with the relocations.
  target_link_options(${name} PRIVATE --profiling-funcs -Wl,--print-map,--save-temps)
  # Refusals and notes become functions of their own ([[gnu::cold]] in base/), so that the rest has those no first verdict enters.
  foreach(setting hot-cold-split=true hotcoldsplit-max-params=16 hotcoldsplit-threshold=1)
    target_link_options(${name} PRIVATE "SHELL:-Wl,-mllvm -Wl,-${setting}")
  endforeach()
  set_target_properties(${name} PROPERTIES RULE_LAUNCH_LINK "${scripts}/link_map.sh ${map}")
  add_custom_command(TARGET ${name} POST_BUILD VERBATIM
    COMMAND ${MEMWALL_PYTHON} ${scripts}/split_wasm.py ${wasm} --map ${map} --tool ${MEMWALL_WASM_SPLIT} --node ${MEMWALL_NODE}
            --calls ${scripts}/first_calls.mjs --rest ${rest}
    COMMAND ${pack} ${wasm} --texts ${PROJECT_BINARY_DIR}/explanations.txt
    COMMAND ${pack} ${rest} --keep-data)
endfunction()
