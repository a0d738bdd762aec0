// What the pass needs of LLVM and the C API does not offer; the only C++ of the project.
//
// One source for LLVM 19 to 23. A difference between them is detected from the headers, never from the major
// number: vendor compilers carry headers from any day of a development cycle.
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include "llvm-c/Core.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace {

// The Rust side of a phase: true when the module was changed. Never unwinds.
using Phase = bool (*)(LLVMModuleRef, ModuleAnalysisManager *);
struct Phases {
  Phase Early, Late, O0, Link;
} Rust;

template <Phase Phases::*Member> struct SqttPass : PassInfoMixin<SqttPass<Member>> {
  // Without this, optnone functions and opt-bisect would skip the phase and leave half a protocol behind.
  static bool isRequired() { return true; }
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &Analyses) {
    return (Rust.*Member)(wrap(&M), &Analyses) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};
using EarlyPass = SqttPass<&Phases::Early>;
using LatePass = SqttPass<&Phases::Late>;
using O0Pass = SqttPass<&Phases::O0>;
using LinkPass = SqttPass<&Phases::Link>;

// Callbacks are generic in their tail: LLVM 20 added an argument to two of these extension points.
void registerPhases(PassBuilder &PB) {
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel Level, auto &&...) {
    if (Level == OptimizationLevel::O0)
      MPM.addPass(O0Pass());
  });
  PB.registerPipelineEarlySimplificationEPCallback([](ModulePassManager &MPM, OptimizationLevel Level, auto &&...) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(EarlyPass());
  });
  PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM, OptimizationLevel Level, auto &&...) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(LatePass());
  });
  // A device link runs this point alone, at every level.
  PB.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(LinkPass()); });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "sqtt-early")
          MPM.addPass(EarlyPass());
        else if (Name == "sqtt-late")
          MPM.addPass(LatePass());
        else if (Name == "sqtt-o0")
          MPM.addPass(O0Pass());
        else if (Name == "sqtt-link")
          MPM.addPass(LinkPass());
        else
          return false;
        return true;
      });
}

// A diagnostic without a place. clang prints kinds it does not know with the severity and text they carry.
class PlainDiagnostic : public DiagnosticInfo {
  StringRef Text;

public:
  PlainDiagnostic(StringRef Text, DiagnosticSeverity Severity) : DiagnosticInfo(pluginKind(), Severity), Text(Text) {}
  static int pluginKind() {
    static const int Kind = getNextAvailablePluginDiagnosticKind();
    return Kind;
  }
  void print(DiagnosticPrinter &Printer) const override { Printer << Text; }
};

} // namespace

// Entered from the Rust entry point: an entry point defined here would be dropped from the archive at link time.
extern "C" PassPluginLibraryInfo sqtt_shim_plugin_info(Phase Early, Phase Late, Phase O0, Phase Link) {
  Rust = {Early, Late, O0, Link};
  // The mangled name carries std::string's ABI. With -z now, a host with another standard library refuses the
  // plugin at load and names this symbol, instead of corrupting memory later.
  asm volatile("" ::"r"(&PassPlugin::Load));
  PassPluginLibraryInfo Info{};
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "sqtt-instrument-pass";
  Info.PluginVersion = PLUGIN_VERSION " (LLVM " LLVM_VERSION_STRING ")";
  Info.RegisterPassBuilderCallbacks = registerPhases;
  return Info;
}
extern "C" size_t sqtt_shim_plugin_info_bytes() { return sizeof(PassPluginLibraryInfo); }

// Severity: 0 error, 1 warning, as in LLVM. With an instruction or function the diagnostic points at its line. clang
// shows such a warning as one of -Wpass-failed: a kind that a user can turn off, or keep from becoming an error.
extern "C" void sqtt_shim_report(LLVMModuleRef M, LLVMValueRef Place, int Severity, const char *Text, size_t Bytes) {
  LLVMContext &Context = unwrap(M)->getContext();
  auto Level = static_cast<DiagnosticSeverity>(Severity);
  if (!Place) {
    Context.diagnose(PlainDiagnostic(StringRef(Text, Bytes), Level));
    return;
  }
  // The diagnostics keep a reference to the text's Twine.
  Twine Message(StringRef(Text, Bytes));
  auto *I = dyn_cast<Instruction>(unwrap(Place));
  Function *F = I ? I->getFunction() : cast<Function>(unwrap(Place));
  DiagnosticLocation Location = I ? DiagnosticLocation(I->getDebugLoc()) : DiagnosticLocation(F->getSubprogram());
  if (Level == DS_Warning)
    Context.diagnose(DiagnosticInfoOptimizationFailure(*F, Location, Message));
  else
    Context.diagnose(DiagnosticInfoUnsupported(*F, Message, Location, Level));
}

// A workgroup-scope acq_rel fence that orders LDS only. Both spellings of the tag: LLVM <= 21 reads the first,
// LLVM >= 22 the second, and the one it does not know is ignored.
extern "C" void sqtt_shim_local_fence(LLVMBuilderRef B, bool Tagged) {
  IRBuilder<> *Builder = unwrap(B);
  LLVMContext &C = Builder->getContext();
  auto Tag = [&](const char *Prefix) -> Metadata * {
    return MDTuple::get(C, {MDString::get(C, Prefix), MDString::get(C, "local")});
  };
  FenceInst *Fence = Builder->CreateFence(AtomicOrdering::AcquireRelease, C.getOrInsertSyncScopeID("workgroup"));
  if (Tagged)
    Fence->setMetadata(LLVMContext::MD_mmra, MDTuple::get(C, {Tag("amdgpu-as"), Tag("amdgpu-synchronize-as")}));
}

extern "C" bool sqtt_shim_inline(LLVMValueRef Call) {
  InlineFunctionInfo Info;
  return InlineFunction(*unwrap<CallBase>(Call), Info).isSuccess();
}

// Returns the terminator of the new block that runs when Condition holds; code from Before on runs after it.
extern "C" LLVMValueRef sqtt_shim_split_if(LLVMValueRef Condition, LLVMValueRef Before) {
  auto *I = unwrap<Instruction>(Before);
  return wrap(SplitBlockAndInsertIfThen(unwrap(Condition), I->getIterator(), /*Unreachable=*/false));
}

// Returns the new block that begins with Before.
extern "C" LLVMBasicBlockRef sqtt_shim_split(LLVMValueRef Before) {
  auto *I = unwrap<Instruction>(Before);
  return wrap(SplitBlock(I->getParent(), I->getIterator()));
}

// Hands the demangled name on, or the name itself when it is not a mangled one.
extern "C" void sqtt_shim_demangle(const char *Name, size_t Bytes, void (*Sink)(void *, const char *, size_t),
                                   void *Context) {
  std::string Demangled = demangle(StringRef(Name, Bytes).str());
  Sink(Context, Demangled.data(), Demangled.size());
}

// The bytes of a literal up to its first NUL, seen through casts and constant offsets.
extern "C" bool sqtt_shim_literal(LLVMValueRef V, const char **Text, size_t *Bytes) {
  StringRef Found;
  if (!getConstantStringInfo(unwrap(V)->stripPointerCasts(), Found))
    return false;
  *Text = Found.data();
  *Bytes = Found.size();
  return true;
}

// The address space of what a pointer points into, as far as casts and offsets tell.
extern "C" unsigned sqtt_shim_origin_space(LLVMValueRef V) {
  return getUnderlyingObject(unwrap(V))->getType()->getPointerAddressSpace();
}

// What a load from a constant yields, at any offset into it; null when that is not known.
extern "C" LLVMValueRef sqtt_shim_constant_load(LLVMModuleRef M, LLVMValueRef Load) {
  auto *I = dyn_cast<LoadInst>(unwrap(Load));
  auto *From = I ? dyn_cast<Constant>(I->getPointerOperand()) : nullptr;
  return From ? wrap(ConstantFoldLoadFromConstPtr(From, I->getType(), unwrap(M)->getDataLayout())) : nullptr;
}

// An invoke as a call and a branch to where it goes on.
extern "C" LLVMValueRef sqtt_shim_invoke_to_call(LLVMValueRef V) { return wrap(changeToCall(unwrap<InvokeInst>(V))); }

extern "C" LLVMValueRef sqtt_shim_strip_casts(LLVMValueRef V) { return wrap(unwrap(V)->stripPointerCasts()); }

extern "C" bool sqtt_shim_is_static_alloca(LLVMValueRef V) {
  auto *A = dyn_cast<AllocaInst>(unwrap(V));
  return A && isa<ConstantInt>(A->getArraySize()) && !A->isUsedWithInAlloca();
}

// Puts an instruction in front of another one, which may be in another block.
extern "C" void sqtt_shim_move_before(LLVMValueRef I, LLVMValueRef Before) {
  unwrap<Instruction>(I)->moveBefore(*unwrap<Instruction>(Before)->getParent(),
                                     unwrap<Instruction>(Before)->getIterator());
}

extern "C" bool sqtt_shim_may_have_side_effects(LLVMValueRef I) {
  return unwrap<Instruction>(I)->mayHaveSideEffects();
}
extern "C" bool sqtt_shim_may_read_memory(LLVMValueRef I) { return unwrap<Instruction>(I)->mayReadFromMemory(); }

extern "C" bool sqtt_shim_is_lifetime_or_debug(LLVMValueRef V) {
  auto *I = unwrap<Instruction>(V);
  return I->isDebugOrPseudoInst() || I->isLifetimeStartOrEnd();
}

static FunctionAnalysisManager &analysesOf(ModuleAnalysisManager &Analyses, Function &F) {
  return Analyses.getResult<FunctionAnalysisManagerModuleProxy>(*F.getParent()).getManager();
}

// Puts the variables of unoptimized code into registers: what is loaded from memory counts as different in each lane.
static void promoteVariables(Function &F) {
  SmallVector<AllocaInst *, 16> Promotable;
  for (Instruction &I : F.getEntryBlock()) {
    auto *Variable = dyn_cast<AllocaInst>(&I);
    if (!Variable)
      continue;
    // clang reaches a private variable through a generic pointer.
    for (User *Use : make_early_inc_range(Variable->users()))
      if (auto *Cast = dyn_cast<AddrSpaceCastInst>(Use))
        Cast->replaceUsesWithIf(Variable, [](class Use &U) {
          if (auto *Store = dyn_cast<StoreInst>(U.getUser()))
            return U.getOperandNo() == Store->getPointerOperandIndex();
          return isa<LoadInst>(U.getUser());
        });
    for (User *Use : make_early_inc_range(Variable->users()))
      if (auto *Cast = dyn_cast<AddrSpaceCastInst>(Use); Cast && Cast->use_empty())
        Cast->eraseFromParent();
    if (isAllocaPromotable(Variable))
      Promotable.push_back(Variable);
  }
  if (Promotable.empty())
    return;
  DominatorTree Dominators(F);
  PromoteMemToReg(Promotable, Dominators);
}

// Hands on every block of a function with how control flows there: the header of the innermost cycle around it and of
// the cycle around that (null: none), and whether lanes part at its end. The analyses are made anew: the phase has
// changed the function.
extern "C" void sqtt_shim_control_flow(ModuleAnalysisManager *Analyses, LLVMValueRef V,
                                       void (*Sink)(void *, LLVMBasicBlockRef, LLVMBasicBlockRef, LLVMBasicBlockRef,
                                                    bool),
                                       void *Context) {
  Function &F = *unwrap<Function>(V);
  FunctionAnalysisManager &Manager = analysesOf(*Analyses, F);
  Manager.invalidate(F, PreservedAnalyses::none());
  // Unoptimized code is judged by a copy: its branches are where they are in the function.
  Function *Copy = nullptr;
  if (F.hasOptNone()) {
    ValueToValueMapTy Values;
    Copy = CloneFunction(&F, Values);
    promoteVariables(*Copy);
  }
  Function &Judged = Copy ? *Copy : F;
  auto &Uniformity = Manager.getResult<UniformityInfoAnalysis>(Judged);
  auto &Cycles = Manager.getResult<CycleAnalysis>(F);
  auto headerOf = [](auto *Cycle) { return Cycle ? wrap(Cycle->getHeader()) : nullptr; };
  for (auto [Block, Twin] : zip(F, Judged)) {
    auto *Cycle = Cycles.getCycle(&Block);
    Sink(Context, wrap(&Block), headerOf(Cycle), headerOf(Cycle ? Cycle->getParentCycle() : nullptr),
         Uniformity.hasDivergentTerminator(Twin));
  }
  if (Copy) {
    Manager.clear(*Copy, Copy->getName());
    Copy->eraseFromParent();
  }
}

// Returns a new block that the unconditional branches at the ends of Ways lead to, and that leads to Meeting.
extern "C" LLVMBasicBlockRef sqtt_shim_split_ways(LLVMBasicBlockRef Meeting, LLVMBasicBlockRef *Ways, size_t Count) {
  SmallVector<BasicBlock *, 8> Blocks;
  for (size_t I = 0; I != Count; ++I)
    Blocks.push_back(unwrap(Ways[I]));
  return wrap(SplitBlockPredecessors(unwrap(Meeting), Blocks, ".sqtt.join"));
}

// Hand on the instructions of a function or a block, or just the calls and invokes.
extern "C" void sqtt_shim_instructions(LLVMValueRef V, void (*Sink)(void *, LLVMValueRef), void *Context) {
  for (BasicBlock &Block : *unwrap<Function>(V))
    for (Instruction &I : Block)
      Sink(Context, wrap(&I));
}
extern "C" void sqtt_shim_block_calls(LLVMBasicBlockRef Block, void (*Sink)(void *, LLVMValueRef), void *Context) {
  for (Instruction &I : *unwrap(Block))
    if (isa<CallInst, InvokeInst>(I))
      Sink(Context, wrap(&I));
}
extern "C" void sqtt_shim_calls(LLVMValueRef V, void (*Sink)(void *, LLVMValueRef), void *Context) {
  for (BasicBlock &Block : *unwrap<Function>(V))
    sqtt_shim_block_calls(wrap(&Block), Sink, Context);
}
extern "C" void sqtt_shim_block_instructions(LLVMBasicBlockRef Block, void (*Sink)(void *, LLVMValueRef),
                                             void *Context) {
  for (Instruction &I : *unwrap(Block))
    Sink(Context, wrap(&I));
}

// Adds attributes without a value to a call, in one go: each change makes a new list.
extern "C" void sqtt_shim_add_call_attributes(LLVMValueRef V, const unsigned *Kinds, size_t Count) {
  auto *Call = unwrap<CallBase>(V);
  AttrBuilder Added(Call->getContext());
  for (size_t Index = 0; Index < Count; ++Index)
    Added.addAttribute(static_cast<Attribute::AttrKind>(Kinds[Index]));
  Call->setAttributes(Call->getAttributes().addFnAttributes(Call->getContext(), Added));
}

// The two lowest bits of an integer, when each is the same whatever the program does; else false.
extern "C" bool sqtt_shim_known_low_bits(LLVMModuleRef M, LLVMValueRef V, unsigned *Bits) {
  if (!unwrap(V)->getType()->isIntegerTy())
    return false;
  KnownBits Known = computeKnownBits(unwrap(V), unwrap(M)->getDataLayout());
  unsigned Zero = Known.Zero.extractBitsAsZExtValue(2, 0), One = Known.One.extractBitsAsZExtValue(2, 0);
  *Bits = One;
  return (Zero | One) == 3;
}

extern "C" bool sqtt_shim_is_must_tail_call(LLVMValueRef V) {
  auto *Call = dyn_cast<CallInst>(unwrap(V));
  return Call && Call->isMustTailCall();
}

extern "C" void sqtt_shim_copy_metadata(LLVMValueRef To, LLVMValueRef From) {
  unwrap<Instruction>(To)->copyMetadata(*unwrap<Instruction>(From));
}

// Removes a module-level table, when there is one.
extern "C" void sqtt_shim_erase_table(LLVMModuleRef M, const char *Name, size_t Bytes) {
  if (NamedMDNode *Table = unwrap(M)->getNamedMetadata(StringRef(Name, Bytes)))
    Table->eraseFromParent();
}

// Keeps a global whatever optimizers think of it, until it is erased.
extern "C" void sqtt_shim_keep_global(LLVMValueRef V) {
  auto *Global = unwrap<GlobalVariable>(V);
  appendToUsed(*Global->getParent(), {Global});
}
extern "C" void sqtt_shim_erase_kept_global(LLVMValueRef V) {
  auto *Global = unwrap<GlobalVariable>(V);
  removeFromUsedLists(*Global->getParent(), [=](Constant *Used) { return Used == Global; });
  Global->eraseFromParent();
}
